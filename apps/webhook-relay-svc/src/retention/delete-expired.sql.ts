import { statement } from '@canvass/postgres';
import type { DailyTable } from './partitions.sql';

/** One step through a partition in the order of its key: what was removed, and where the next step starts. */
export interface StepRow {
  /** Null after the end. */
  tenant_id: string | null;
  id: string | null;
  removed: number;
}

/** The condition that keeps a row `r` although it is old: its delivery waits, or its message came late. */
const isKept: Record<DailyTable, string> = {
  deliveries: 'exists (select from waiting w where w.tenant_id = r.tenant_id and w.id = r.id)',
  messages: `r.created_at >= $5::timestamptz
    or exists (select from waiting w where w.tenant_id = r.tenant_id and w.message_id = r.id)`,
};

/**
 * Deletes the rows of one partition that nothing needs. $1 and $2 after this tenant and id, $3 first id
 * that is kept, $4 rows at once, $5 messages stored at or after this are kept
 */
export const deleteExpiredOf = (table: DailyTable, partition: string) =>
  `with step as (
     select tenant_id, id from ${partition}
     where (tenant_id, id) > ($1::bigint, $2::bigint) order by tenant_id, id limit $4
   ), removed as (
     delete from ${partition} r using step
     where r.tenant_id = step.tenant_id and r.id = step.id and r.id < $3::bigint and $5::timestamptz is not null
       and not (${isKept[table]})
     returning r.id
   ), last as (
     select tenant_id, id from step order by tenant_id desc, id desc limit 1
   )
   select (select tenant_id from last) as tenant_id, (select id from last) as id,
          (select count(*)::integer from removed) as removed`;

/**
 * Returns whether a partition is still needed: it has a waiting delivery or its message, or a message that
 * was stored late. $1 first id, $2 id after the last, $3 messages stored at or after this are late
 */
export const isNeeded = (table: DailyTable, partition: string) =>
  table === 'deliveries'
    ? `select exists (select from waiting where id >= $1::bigint and id < $2::bigint)
              and $3::timestamptz is not null as needed`
    : `select exists (select from waiting where message_id >= $1::bigint and message_id < $2::bigint)
              or exists (select from ${partition} where created_at >= $3::timestamptz) as needed`;

interface Endpoint {
  tenantId: string;
  id: string;
}

/** Disabled endpoints for which deliveries wait, after this one. */
export const findDisabledEndpoints = statement<Endpoint & { rows: number }, Endpoint>(
  'find_disabled_endpoints',
  `select tenant_id as "tenantId", id from endpoints
   where (tenant_id, id) > ($tenantId::bigint, $id::bigint) and disabled_at is not null and first_due is not null
   order by tenant_id, id limit $rows`,
);

/** Deletes what waits for an endpoint if it is disabled, up to the id `before`. */
export const deleteExpiredWaiting = statement<Endpoint & { before: string; rows: number }, { id: string }>(
  'delete_expired_waiting',
  `with locked as (
     select e.tenant_id, e.id from endpoints e
     where e.tenant_id = $tenantId and e.id = $id and e.disabled_at is not null for no key update
   ), expired as materialized (
     select w.tenant_id, w.id from locked join waiting w on w.tenant_id = locked.tenant_id and w.endpoint_id = locked.id
     where w.lease is null and w.id < $before::bigint
     order by w.tenant_id, w.endpoint_id, w.due_at, w.id limit $rows
   )
   delete from waiting w using expired
   where w.tenant_id = expired.tenant_id and w.id = expired.id and w.lease is null
   returning w.id`,
);

const expiredOf = (table: string, key: string, isExpired: string) =>
  statement<{ rows: number; before: string | Date }, { removed: true }>(
    `delete_expired_${table}`,
    `delete from ${table} where (${key}) in (select ${key} from ${table} where ${isExpired} limit $rows)
     returning true as removed`,
  );

/** Versions that a newer one replaced before the cutoff. */
const replaced = `
  select v.tenant_id, v.scope, v.scope_id, v.version from settings_versions v
  join settings_current c using (tenant_id, scope, scope_id)
  where v.version < c.version and v.fetched_at < $before::timestamptz
    and exists (select from settings_versions newer
                where newer.tenant_id = v.tenant_id and newer.scope = v.scope and newer.scope_id = v.scope_id
                  and newer.version > v.version and newer.fetched_at < $before::timestamptz)
  limit $rows`;

/** Statements by their names in the log line of a run. A row for each that was removed. */
export const deleteExpiredRows = {
  /** Deletes old erasures. Nothing from before is left: dead letters and messages are not kept so long. */
  erasures: expiredOf('erasures', 'tenant_id, entity_id', 'done_at < $before::timestamptz'),
  /** Expired secrets sign nothing; the hours of overlap were their retention. */
  secrets: expiredOf('endpoint_secrets', 'tenant_id, endpoint_id, id', 'expires_at <= now()'),
  /**
   * Deletes alerts that a later one ended. The others hold what was said of an endpoint, however old they
   * are.
   */
  alerts: statement<{ rows: number; before: string | Date }, { removed: true }>(
    'delete_expired_alerts',
    `delete from alerts where (tenant_id, id) in (
       select a.tenant_id, a.id from alerts a
       where a.created_at < $before::timestamptz and a.mailed_at is not null and exists (
         select from alerts later
         where later.tenant_id = a.tenant_id and later.endpoint_id = a.endpoint_id and later.id > a.id
           and (later.kind = 'recovered' or (a.kind = 'dead_letters' and later.kind = 'dead_letters')))
       limit $rows)
     returning true as removed`,
  ),
  /**
   * Deletes settings: no younger event names these versions. One that an event names anyway is kept for as
   * long again, or fetched from its owner again; the outer condition checks the time once more, because an
   * event may have named it just now.
   */
  settings: statement<{ rows: number; before: string | Date }, { removed: true }>(
    'delete_expired_settings',
    `delete from settings_versions
     where fetched_at < $before::timestamptz and (tenant_id, scope, scope_id, version) in (${replaced})
     returning true as removed`,
  ),
};
