import { positionalStatement } from '@canvass/postgres';
import type { DailyTable } from './partitions.sql';

/** One step through a partition in the order of its key: what was removed, and where the next step starts. */
export interface StepRow {
  /** Null after the end. */
  tenant_id: string | null;
  id: string | null;
  removed: number;
}

/** What of a row `r` keeps it although it is old: its delivery waits, or its message came late. */
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
  `with step as materialized (
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

/** $1 first id, $2 id after the last: whether a delivery waits that is, or whose message is, in the range. */
export const isWaitedFor: Record<DailyTable, string> = {
  deliveries: 'select exists (select from waiting where id >= $1::bigint and id < $2::bigint) as needed',
  messages: `select exists (select from waiting where message_id >= $1::bigint and message_id < $2::bigint) as needed`,
};

/** Whether a partition of messages has one that was stored late. $1 stored before */
export const hasLate = (partition: string) =>
  `select exists (select from ${partition} where created_at >= $1::timestamptz) as needed`;

/** Disabled endpoints for which deliveries wait. $1 and $2 after this tenant and endpoint, $3 rows at once */
export const findDisabledEndpoints = positionalStatement(
  'find_disabled_endpoints',
  `select tenant_id, id from endpoints
   where (tenant_id, id) > ($1::bigint, $2::bigint) and disabled_at is not null and first_due is not null
   order by tenant_id, id limit $3`,
);

/**
 * $1 tenant, $2 endpoint, $3 first id that is kept, $4 rows at once: what waits for an endpoint if it is
 * disabled.
 */
export const deleteExpiredWaiting = positionalStatement(
  'delete_expired_waiting',
  `with locked as materialized (
     select e.tenant_id, e.id from endpoints e
     where e.tenant_id = $1 and e.id = $2 and e.disabled_at is not null for no key update
   ), expired as materialized (
     select w.tenant_id, w.id from locked join waiting w on w.tenant_id = locked.tenant_id and w.endpoint_id = locked.id
     where w.lease is null and w.id < $3::bigint
     order by w.tenant_id, w.endpoint_id, w.due_at, w.id limit $4
   )
   delete from waiting w using expired
   where w.tenant_id = expired.tenant_id and w.id = expired.id and w.lease is null
   returning w.id`,
);

// In the rest: $1 rows at once, $2 the cutoff. One row for each that was removed.

export const deleteExpiredRecoveries = positionalStatement(
  'delete_expired_recoveries',
  `delete from recoveries where (tenant_id, id) in (
     select tenant_id, id from recoveries where finished_at < $2::timestamptz limit $1)
   returning true`,
);

/** No event from before the erasure is left: dead letters and messages are not kept for so long. */
export const deleteExpiredErasures = positionalStatement(
  'delete_expired_erasures',
  `delete from erasures where (tenant_id, entity_id) in (
     select tenant_id, entity_id from erasures where done_at < $2::timestamptz limit $1)
   returning true`,
);

/** Expired secrets sign nothing; the hours of overlap were their retention. */
export const deleteExpiredSecrets = positionalStatement(
  'delete_expired_secrets',
  `delete from endpoint_secrets where (tenant_id, endpoint_id, id) in (
     select tenant_id, endpoint_id, id from endpoint_secrets
     where expires_at <= now() and $2::timestamptz is not null limit $1)
   returning true`,
);

/**
 * Versions of settings that others replaced before the cutoff: no younger event names them. One that an
 * event names anyway is kept for as long again, or fetched from its owner again; the outer condition checks
 * the time once more, because an event may have named it just now.
 */
export const deleteExpiredSettings = positionalStatement(
  'delete_expired_settings',
  `delete from settings_versions where fetched_at < $2::timestamptz and (tenant_id, scope, scope_id, version) in (
     select v.tenant_id, v.scope, v.scope_id, v.version from settings_versions v
     join settings_current c using (tenant_id, scope, scope_id)
     where v.version < c.version and v.fetched_at < $2::timestamptz
       and exists (select from settings_versions newer
                   where newer.tenant_id = v.tenant_id and newer.scope = v.scope and newer.scope_id = v.scope_id
                     and newer.version > v.version and newer.fetched_at < $2::timestamptz)
     limit $1)
   returning true`,
);
