import { statement } from '@canvass/postgres';
import { dueAgain } from '../due-again.sql';

/** A recovery as the API shows it. */
export interface RecoveryView {
  id: string;
  endpointId: string;
  since: Date;
  status: 'running' | 'done' | 'cancelled';
  /** Failed deliveries in its range when it was asked for. */
  total: number;
  /** Of them made due again so far. */
  recovered: number;
  createdAt: Date;
  finishedAt: Date | null;
}

/** The deliveries of an endpoint that a recovery takes. */
const failed = `status in ('failed', 'dead')`;

interface Started {
  isRemoved: boolean;
  isDisabled: boolean;
  recovery: string | null;
}

/**
 * Ids carry the time they were made (milliseconds since 2026 above bit 22), so the range is one of the index
 * of failed deliveries.
 */
export const startRecovery = statement<{ tenantId: string; endpointId: string; since: Date }, Started>(
  'start_recovery',
  `with found as (
     select e.tenant_id, e.id, e.removed_at is not null as "isRemoved", e.disabled_at is not null as "isDisabled",
            (least(greatest(0, floor(extract(epoch from $since::timestamptz) * 1000)::bigint - 1767225600000),
                   2199023255551) << 22) - 1 as first_id
     from endpoints e where e.tenant_id = $tenantId and e.id = $endpointId
   ), made as (
     insert into recoveries (tenant_id, endpoint_id, since, last_id, total)
     select tenant_id, id, $since, first_id,
            (select count(*) from deliveries d
             where d.tenant_id = found.tenant_id and d.endpoint_id = found.id and d.id > first_id and d.${failed})
     from found where not ("isRemoved" or "isDisabled")
     returning id
   )
   select "isRemoved", "isDisabled", (select id from made) as recovery from found`,
);

interface Recovery {
  tenantId: string;
  id: string;
}

export const findRecovery = statement<Recovery, RecoveryView>(
  'find_recovery',
  `select id, endpoint_id as "endpointId", since, status, total::float8 as total, recovered::float8 as recovered,
          created_at as "createdAt", finished_at as "finishedAt"
   from recoveries where tenant_id = $tenantId and id = $id`,
);

/** No row unless it was running. */
export const cancelRecovery = statement<Recovery, { id: string }>(
  'cancel_recovery',
  `update recoveries set status = 'cancelled', finished_at = now()
   where tenant_id = $tenantId and id = $id and status = 'running' returning id`,
);

/**
 * The next running job after `last`, the one that was worked on last, or the first. Locked, unless another
 * replica has it.
 */
export const lockNextRecovery = statement<{ last: string }, Recovery & { endpointId: string }>(
  'lock_next_recovery',
  `select tenant_id as "tenantId", id, endpoint_id as "endpointId" from recoveries where status = 'running'
   order by id <= $last::bigint, id limit 1 for update skip locked`,
);

/** The next batch of a job. The job and its endpoint are locked by earlier statements. */
export const recoverBatch = statement<
  Recovery & { endpointId: string; rows: number },
  { recovered: string; status: RecoveryView['status'] }
>(
  'recover_batch',
  `with job as materialized (
     select * from recoveries where tenant_id = $tenantId and id = $id
   ), batch as materialized (
     select d.* from job join deliveries d on d.tenant_id = job.tenant_id and d.endpoint_id = job.endpoint_id
     where d.id > job.last_id and d.id < job.until_id and d.${failed}
     order by d.tenant_id, d.endpoint_id, d.id limit $rows
   ), ${dueAgain}, step as (
     select max(id) as last_id, count(*) < $rows as is_last from batch
   )
   update recoveries r set
     last_id = coalesce(step.last_id, r.last_id),
     recovered = r.recovered + (select count(*) from resent),
     status = case when step.is_last then 'done' else r.status end,
     finished_at = case when step.is_last then now() end
   from step
   where r.tenant_id = $tenantId and r.id = $id
   returning r.recovered, r.status`,
);
