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

/** What a recovery takes of an endpoint: what has failed at least once and was not taken since. */
const failed = `status in ('failed', 'dead')`;

export interface RecoverableRow {
  is_removed: boolean;
  is_disabled: boolean;
  recovery: RecoveryRow['id'] | null;
}

/**
 * $1 tenant, $2 endpoint, $3 since. Ids carry the time they were made (milliseconds since 2026 above bit 22),
 * so that the range is one of the index by endpoint.
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

/** $1 tenant, $2 id */
export const cancelRecovery = positionalStatement(
  'cancel_recovery',
  `update recoveries set status = 'cancelled', finished_at = now()
   where tenant_id = $1 and id = $2 and status = 'running'`,
);

export interface BatchRow {
  id: string;
  recovered: string;
  status: RecoveryRow['status'];
}

/**
 * $1 deliveries at once. The next batch of the oldest running job: its deliveries are due now with the whole
 * schedule before them. What is in flight ends by itself. A job is one copy's at a time; what dies in between
 * is done anew.
 */
export const recoverBatch = positionalStatement(
  'recover_batch',
  `with job as (
     select * from recoveries where status = 'running' order by id limit 1 for update skip locked
   ), batch as (
     select d.id, exists (select from leases l where l.delivery_id = d.id) as in_flight
     from job join deliveries d on d.tenant_id = job.tenant_id and d.endpoint_id = job.endpoint_id
     where d.id > job.last_id and d.id < job.until_id and d.${failed}
     order by d.id limit $1
   ), resent as (
     update deliveries d set status = 'pending', schedule_step = 0, next_attempt_at = now(), finished_at = null
     from batch where d.id = batch.id and not batch.in_flight and d.${failed}
     returning d.id
   ), step as (
     select max(id) as last_id, count(*) < $1 as is_last from batch
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
