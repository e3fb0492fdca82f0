import { advisoryLocks, statement } from '@canvass/postgres';
import { stepNames, type Position, type StepName } from './steps.sql';

/** A row of `backfill_progress`. Ids are decimal strings. */
export interface StepProgress {
  step: StepName;
  lastId: string;
  after: Position;
  examined: number;
  changed: number;
  finished: boolean;
}

/** Allows one run at a time in a schema. */
export const tryLock = `select pg_try_advisory_lock(${advisoryLocks.backfill}, hashtext(current_schema())) as locked`;

/**
 * Batches must be short. Each lookup uses an index; with a generic plan the planner might hash a whole table
 * instead, which is cheap for a report and expensive for every batch.
 */
export const sessionSettings = (timeouts: { statementMs: number; lockMs: number }): string => `
  set statement_timeout = ${timeouts.statementMs}; set lock_timeout = ${timeouts.lockMs};
  set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off`;

export const forgetFinishedRun = `delete from backfill_progress
  where not exists (select from backfill_progress where finished_at is null)`;

export const beginRun = `insert into backfill_progress (step, last_id)
  select unnest('{${stepNames.join()}}'::text[]), coalesce((select max(id) from submissions), 0)
  on conflict do nothing`;

export const readProgress = statement<void, StepProgress>(
  'backfill_read_progress',
  `select step, last_id as "lastId", json_build_object('tenantId', after_tenant_id::text, 'id', after_id::text) as after,
    examined::float8, changed::float8, finished_at is not null as finished
  from backfill_progress order by step`,
);

export const readLockedRows = statement<{ step: StepName }, { tenantIds: string[]; ids: string[] }>(
  'backfill_read_locked_rows',
  `select locked_tenant_ids::text[] as "tenantIds", locked_ids::text[] as ids from backfill_progress where step = $step`,
);

export const finishStep = statement<{ step: StepName }>(
  'backfill_finish_step',
  `update backfill_progress set finished_at = now() where step = $step`,
);

export const countRows = statement<void, { rows: number }>(
  'backfill_count_rows',
  `select count(*)::float8 as rows from submissions`,
);
