import { positionalStatement } from '@canvass/postgres';

export interface RecoveryRow {
  id: string;
  endpoint_id: string;
  since: Date;
  status: 'running' | 'done' | 'cancelled';
  total: string;
  recovered: string;
  created_at: Date;
  finished_at: Date | null;
}

const columns = 'id, endpoint_id, since, status, total, recovered, created_at, finished_at';

/** The deliveries of an endpoint that a recovery takes. */
const failed = `status in ('failed', 'dead')`;

export interface RecoverableRow {
  is_removed: boolean;
  is_disabled: boolean;
  recovery: RecoveryRow['id'] | null;
}

/**
 * $1 tenant, $2 endpoint, $3 since. Ids carry the time they were made (milliseconds since 2026 above bit
 * 22), so the range is one of the index of failed deliveries.
 */
export const startRecovery = positionalStatement(
  'start_recovery',
  `with found as (
     select e.tenant_id, e.id, e.removed_at is not null as is_removed, e.disabled_at is not null as is_disabled,
            (least(greatest(0, floor(extract(epoch from $3::timestamptz) * 1000)::bigint - 1767225600000), 2199023255551)
              << 22) - 1 as first_id
     from endpoints e where e.tenant_id = $1 and e.id = $2
   ), made as (
     insert into recoveries (tenant_id, endpoint_id, since, last_id, total)
     select tenant_id, id, $3, first_id,
            (select count(*) from deliveries d
             where d.tenant_id = found.tenant_id and d.endpoint_id = found.id and d.id > first_id and d.${failed})
     from found where not (is_removed or is_disabled)
     returning id
   )
   select is_removed, is_disabled, (select id from made) as recovery from found`,
);

/** $1 tenant, $2 id */
export const findRecovery = positionalStatement(
  'find_recovery',
  `select ${columns} from recoveries where tenant_id = $1 and id = $2`,
);

/** $1 tenant, $2 id. No row unless it was running. */
export const cancelRecovery = positionalStatement(
  'cancel_recovery',
  `update recoveries set status = 'cancelled', finished_at = now()
   where tenant_id = $1 and id = $2 and status = 'running' returning id`,
);

export interface RunningJobRow {
  tenant_id: string;
  id: string;
  endpoint_id: string;
}

/**
 * $1 job that was worked on last: the next running one after it, or the first. Locked, unless another
 * replica has it.
 */
export const lockNextRecovery = positionalStatement(
  'lock_next_recovery',
  `select tenant_id, id, endpoint_id from recoveries where status = 'running'
   order by id <= $1::bigint, id limit 1 for update skip locked`,
);

export interface BatchRow {
  id: string;
  recovered: string;
  status: RecoveryRow['status'];
}

/**
 * $1 tenant, $2 job, $3 deliveries at once. The next batch of a job: its deliveries are due now with the
 * whole schedule before them. Those in flight are left alone. The job and its endpoint are locked by
 * earlier statements.
 */
export const recoverBatch = positionalStatement(
  'recover_batch',
  `with job as materialized (
     select * from recoveries where tenant_id = $1 and id = $2
   ), batch as materialized (
     select d.* from job join deliveries d on d.tenant_id = job.tenant_id and d.endpoint_id = job.endpoint_id
     where d.id > job.last_id and d.id < job.until_id and d.${failed}
     order by d.tenant_id, d.endpoint_id, d.id limit $3
   ), sooner as (
     update waiting w set due_at = now(), schedule_step = 0
     where w.tenant_id = $1 and w.id = any (array(select id from batch)) and w.lease is null
     returning w.id
   ), again as (
     insert into waiting (tenant_id, id, endpoint_id, message_id, event_name, entity_id, form_id, occurred_at,
                          created_at, due_at, attempts)
     select b.tenant_id, b.id, b.endpoint_id, b.message_id, b.event_name, b.entity_id, b.form_id, b.occurred_at,
            b.created_at, now(), b.attempt_count
     from batch b
     where not exists (select from waiting w where w.tenant_id = b.tenant_id and w.id = b.id offset 0)
     on conflict do nothing
     returning id
   ), resent as materialized (
     select id from sooner union all select id from again
   ), logged as (
     update deliveries d set status = 'pending', finished_at = null
     from resent where d.tenant_id = $1 and d.id = resent.id
   ), endpoint as (
     update endpoints e set first_due = least(e.first_due, now())
     from job where e.tenant_id = job.tenant_id and e.id = job.endpoint_id and exists (select from resent)
   ), step as (
     select max(id) as last_id, count(*) < $3 as is_last from batch
   )
   update recoveries r set
     last_id = coalesce(step.last_id, r.last_id),
     recovered = r.recovered + (select count(*) from resent),
     status = case when step.is_last then 'done' else r.status end,
     finished_at = case when step.is_last then now() end
   from job cross join step
   where r.tenant_id = job.tenant_id and r.id = job.id
   returning r.id, r.recovered, r.status`,
);
