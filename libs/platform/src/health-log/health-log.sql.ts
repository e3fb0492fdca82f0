import { statement } from '@canvass/postgres';

/** A copy that did not report for this long is silent. */
export const silentAfterSeconds = 45;
/** A silent copy is listed for so long. */
const listedSeconds = 3_600;
/** The time for which changes are kept, in days. */
export const keptDays = 30;

interface ReportColumns {
  copy: string;
  names: string[];
  statuses: string[];
  descriptions: (string | null)[];
  durations: string[];
}

/** Stores the report of a copy, and what changed since its former one. */
export const storeReport = statement<ReportColumns>(
  'health_log_store',
  `with stored as (
     insert into health_checks as c (copy, check_name, status, description, duration)
     select $copy, r.* from unnest($names::text[], $statuses::text[], $descriptions::text[], $durations::text[]) r
     on conflict (copy, check_name) do update set
       status = excluded.status, description = excluded.description, duration = excluded.duration, reported_at = now(),
       since = case when c.status = excluded.status then c.since else now() end
     returning copy, check_name, status, description, old.status as former
   )
   insert into health_changes (copy, check_name, status, description)
   select copy, check_name, status, description from stored where former is distinct from status`,
);

/**
 * Marks copies as silent that reported nothing for some time, this one included if it was interrupted. Any
 * copy of the service does it, so silence is recorded when at least one works, with the time of the last
 * report. Rows of other copies are skipped while those write them.
 */
export const markSilent = statement<void>(
  'health_log_mark_silent',
  `with silent as (
     select copy, check_name from health_checks
     where status <> 'Silent' and reported_at < now() - interval '${silentAfterSeconds} seconds'
     for update skip locked
   ), marked as (
     update health_checks c set status = 'Silent', description = null, since = c.reported_at
     from silent s where c.copy = s.copy and c.check_name = s.check_name
     returning c.copy, c.check_name, c.reported_at
   )
   insert into health_changes (copy, check_name, status, at)
   select copy, check_name, 'Silent', reported_at from marked`,
);

/** Removes copies that are silent for an hour, and changes of more than 30 days ago. */
export const forgetOld = statement<void>(
  'health_log_forget_old',
  `with forgotten as (
     delete from health_checks where reported_at < now() - interval '${listedSeconds} seconds'
   )
   delete from health_changes where at < now() - interval '${keptDays} days'`,
);

/** Removes a copy that ends. */
export const removeCopy = statement<{ copy: string }>(
  'health_log_remove_copy',
  `with removed as (
     delete from health_checks where copy = $copy returning copy, check_name
   )
   insert into health_changes (copy, check_name, status) select copy, check_name, 'Stopped' from removed`,
);

export const statuses = ['Healthy', 'Degraded', 'Unhealthy', 'Silent'] as const;

/** One check of one copy. */
export interface CheckRow {
  copy: string;
  name: string;
  status: (typeof statuses)[number];
  description: string | null;
  duration: string;
  since: Date;
  reportedAt: Date;
}

/** Finds checks by copy and name. A copy that is silent, but not marked yet, is silent here. */
export const findChecks = statement<void, CheckRow>(
  'health_log_checks',
  `select copy, check_name as name, duration, reported_at as "reportedAt",
     case when is_silent then 'Silent' else status end as status,
     case when not is_silent then description end as description,
     case when is_silent and status <> 'Silent' then reported_at else since end as since
   from (select *, reported_at < now() - interval '${silentAfterSeconds} seconds' as is_silent from health_checks) c
   order by copy, check_name`,
);

/** A change of the status of a check. */
export interface HealthChange {
  id: string;
  at: Date;
  copy: string;
  check: string;
  status: (typeof statuses)[number] | 'Stopped';
  description: string | null;
}

/** The changes of a time, for pages. */
export const findChanges = statement<{ from: Date | null; to: Date | null }, HealthChange>(
  'health_log_changes',
  `select id, at, copy, check_name as "check", status, description from health_changes
   where ($from::timestamptz is null or at >= $from) and ($to::timestamptz is null or at < $to)`,
);
