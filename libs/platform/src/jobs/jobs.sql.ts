import { statement } from '@canvass/postgres';
import type { Actor } from '@canvass/service-kit';

export const jobStates = ['running', 'done', 'failed', 'cancelled'] as const;
export type JobState = (typeof jobStates)[number];

/** Numbers by name. */
export type Counts = Record<string, number>;

/** A job as a service reads it. */
export interface JobRow {
  id: string;
  kind: string;
  state: JobState;
  request: unknown;
  reason: string | null;
  startedBy: Actor | null;
  total: number;
  done: number;
  counts: Counts;
  result: Record<string, string | number | null> | null;
  error: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}

interface Key {
  tenantId: string;
  id: string;
}

const columns = `id, kind, state, request, reason, started_by as "startedBy", total::float8 as total,
  done::float8 as done, counts, result, error, created_at as "createdAt", finished_at as "finishedAt"`;

export const insertJob = statement<
  {
    tenantId: string;
    kind: string;
    request: string;
    reason: string | null;
    startedBy: string | null;
    /** The version of the rights of an own account; null: they are not known to end. */
    version: number | null;
    total: number;
  },
  JobRow
>(
  'jobs_insert',
  `insert into jobs (tenant_id, kind, request, reason, started_by, started_version, total)
   values ($tenantId, $kind, $request::json, $reason, $startedBy::json, $version, $total) returning ${columns}`,
);

export const findJob = statement<Key, JobRow>(
  'jobs_find',
  `select ${columns} from jobs where tenant_id = $tenantId and id = $id`,
);

/** Null for a member does not filter. */
export interface JobFilter {
  tenantId: string;
  kinds: readonly string[] | null;
  state: string | null;
}

/** The jobs of a filter, for pages. */
export const jobsOf = statement<JobFilter, JobRow>(
  'jobs_list',
  `select ${columns} from jobs where tenant_id = $tenantId and ($kinds::text[] is null or kind = any ($kinds))
     and ($state::text is null or state = $state)`,
);

/** Cancels a job. No row unless it was running. Waits for the end of a step. */
export const cancelRunning = statement<Key, { id: string }>(
  'jobs_cancel',
  `update jobs set state = 'cancelled', finished_at = now()
   where tenant_id = $tenantId and id = $id and state = 'running' returning id`,
);

export interface DueRow extends Key {
  kind: string;
  startedBy: Actor | null;
  version: number | null;
  request: unknown;
  done: number;
  counts: Counts;
  place: unknown;
}

/** The job whose step is due for the longest time, locked. A job that another process works on is skipped. */
export const lockDue = statement<{ kinds: readonly string[] }, DueRow>(
  'jobs_lock_due',
  `select tenant_id as "tenantId", id, kind, started_by as "startedBy", started_version as version, request,
     done::float8 as done, counts, place from jobs
   where state = 'running' and next_step_at <= now() and kind = any ($kinds)
   order by next_step_at limit 1 for update skip locked`,
);

/** Time until a look: until a paused job is due, `lockedMs` for one that is locked; null without jobs. */
export const findNextDue = statement<
  { kinds: readonly string[]; lockedMs: number },
  { waitMs: number | null }
>(
  'jobs_find_next_due',
  `select min(case when next_step_at > now() then extract(epoch from next_step_at - now()) * 1000
                   else $lockedMs::integer end)::float8 as "waitMs"
   from jobs where state = 'running' and kind = any ($kinds)`,
);

/** The end of a step. `clock_timestamp`, so that the jobs take turns. */
export const saveStep = statement<
  Key & {
    state: JobState;
    done: number;
    counts: string;
    place: string;
    result: string | null;
    error: string | null;
    pauseMs: number;
  }
>(
  'jobs_save_step',
  `update jobs set state = $state, done = $done, counts = $counts::json, place = $place::json,
     result = $result::json, error = $error, failures = 0,
     next_step_at = clock_timestamp() + $pauseMs * interval '1 millisecond',
     finished_at = case when $state <> 'running' then now() end
   where tenant_id = $tenantId and id = $id`,
);

/** Saves a failed step, which was rolled back. The pause doubles up to five minutes. */
export const saveFailure = statement<Key & { max: number; error: string }, { state: JobState }>(
  'jobs_save_failure',
  `update jobs set failures = failures + 1,
     next_step_at = now() + least(300, 2 ^ least(failures, 10)) * interval '1 second',
     state = case when failures + 1 >= $max then 'failed' else state end,
     error = case when failures + 1 >= $max then $error end,
     finished_at = case when failures + 1 >= $max then now() end
   where tenant_id = $tenantId and id = $id and state = 'running' returning state`,
);

/** The reason why a job ended that an administrator may take over. */
export const lostRights = 'The account that started this job lost its rights.';

export const endRevoked = statement<Key & { error: string }>(
  'jobs_end_revoked',
  `update jobs set state = 'failed', error = $error, finished_at = now() where tenant_id = $tenantId and id = $id`,
);

/** The job continues where it is. No row unless it ended because of its starter. */
export const takeOver = statement<
  Key & { error: string; request: string; startedBy: string; version: number | null },
  { id: string }
>(
  'jobs_take_over',
  `update jobs set state = 'running', error = null, finished_at = null, failures = 0, next_step_at = now(),
     request = $request::json, started_by = $startedBy::json, started_version = $version
   where tenant_id = $tenantId and id = $id and state = 'failed' and error = $error returning id`,
);

/** Counts the running jobs of one tenant. */
export const countRunningOf = statement<{ tenantId: string; kind: string }, { running: number }>(
  'jobs_count_running_of',
  `select count(*)::integer as running from jobs where tenant_id = $tenantId and kind = $kind and state = 'running'`,
);

export const countRunning = statement<{ kinds: readonly string[] }, { kind: string; running: number }>(
  'jobs_count_running',
  `select kind, (select count(*)::integer from jobs j where j.state = 'running' and j.kind = k.kind) as running
   from unnest($kinds::text[]) k (kind)`,
);

export const deleteFinished = statement<{ seconds: number; rows: number }, { id: string }>(
  'jobs_delete_finished',
  `delete from jobs where (tenant_id, id) in (
     select tenant_id, id from jobs where finished_at < now() - $seconds * interval '1 second' limit $rows)
   returning id`,
);
