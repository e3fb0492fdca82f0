import { positionalStatement } from '@canvass/postgres';

/**
 * One step through a table by id: what was removed, and where the next one begins; `last` is null behind the
 * end.
 */
export interface StepRow {
  last: string | null;
  removed: number;
}

/**
 * $1 after this id, $2 first id that is kept, $3 rows at once. What still waits stays, and is stepped over.
 */
export const forgetDeliveries = positionalStatement(
  'forget_deliveries',
  `with step as materialized (
     select id from deliveries where id > $1::bigint and id < $2::bigint order by id limit $3
   ), removed as (
     delete from deliveries d using step
     where d.id = step.id and d.next_attempt_at is null
     returning d.id
   )
   select max(id) as last, (select count(*)::integer from removed) as removed from step`,
);

/** The same of the attempts in the default partition. */
export const forgetStrayAttempts = positionalStatement(
  'forget_stray_attempts',
  `with step as materialized (
     select id from attempts_default where id > $1::bigint and id < $2::bigint order by id limit $3
   ), removed as (
     delete from attempts_default a using step where a.id = step.id returning a.id
   )
   select max(id) as last, (select count(*)::integer from removed) as removed from step`,
);

/**
 * Of one partition of `messages` what no delivery needs. A message that came late (an event that lay for
 * long) is judged by when it was stored. $1 after this id, $2 rows at once, $3 stored before, $4 deliveries
 * before this id are those that still wait
 */
export const forgetMessagesOf = (partition: string) =>
  `with step as materialized (
     select id from ${partition} where id > $1::bigint order by id limit $2
   ), removed as (
     delete from ${partition} m using step
     where m.id = step.id and m.created_at < $3::timestamptz
       and not exists (select from deliveries d where d.id < $4::bigint and d.message_id = m.id)
     returning m.id
   )
   select max(id) as last, (select count(*)::integer from removed) as removed from step`;

/**
 * Whether a partition has a message that is still needed. $1 stored before, $2 deliveries before this id are
 * those that still wait
 */
export const isNeeded = (partition: string) =>
  `select exists (select from ${partition} where created_at >= $1::timestamptz)
       or exists (select from deliveries d where d.id < $2::bigint
                  and d.message_id in (select id from ${partition})) as needed`;

// In the rest: $1 rows at once, $2 the cutoff. One row for each that was removed.

export const forgetRecoveries = positionalStatement(
  'forget_recoveries',
  `delete from recoveries where (tenant_id, id) in (
     select tenant_id, id from recoveries where finished_at < $2::timestamptz limit $1)
   returning true`,
);

/** Expired ones sign nothing; the hours of overlap were their retention. */
export const forgetSecrets = positionalStatement(
  'forget_secrets',
  `delete from endpoint_secrets where (tenant_id, endpoint_id, id) in (
     select tenant_id, endpoint_id, id from endpoint_secrets
     where expires_at <= now() and $2::timestamptz is not null limit $1)
   returning true`,
);

/**
 * Versions of settings that others replaced before the cutoff: no event that is younger names them. One that
 * is named all the same is kept for as long again, or fetched from its owner again; the time is judged once
 * more, for it may have been named just now.
 */
export const forgetSettings = positionalStatement(
  'forget_settings',
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
