import { statement } from '@canvass/postgres';
import type { EndpointState } from '../endpoints';

/** Deliveries of one endpoint that are counted at most. */
export const maxCounted = 10_000;

/** An endpoint for which deliveries wait. */
export interface EndpointBacklog {
  endpointId: string;
  url: string;
  state: EndpointState;
  failingSince: Date | null;
  pausedUntil: Date | null;
  waiting: number;
  due: number;
  inFlight: number;
  oldestDueAt: Date | null;
}

/** State of an endpoint `e`, as the API shows it. */
export const stateOf = `case when e.removed_at is not null then 'removed'
       when e.disabled_at is not null then 'disabled' else 'enabled' end`;

/**
 * The endpoints of a tenant for which deliveries wait. Those of an endpoint are read in the order in which
 * they are due, up to a limit, so the number of due ones does not depend on how many are scheduled.
 */
export const findBacklog = statement<{ tenantId: string }, EndpointBacklog & { isExact: boolean }>(
  'backlog_of_tenant',
  `select e.id as "endpointId", e.url, ${stateOf} as state, e.failing_since as "failingSince",
     case when e.resume_at > now() then e.resume_at end as "pausedUntil",
     queued.number + e.in_flight as waiting, e.in_flight as "inFlight",
     case when e.disabled_at is null and e.removed_at is null then queued.due + e.in_flight else e.in_flight end as due,
     case when e.disabled_at is null and e.removed_at is null then queued.oldest end as "oldestDueAt",
     queued.number < ${maxCounted} as "isExact"
   from endpoints e
   cross join lateral (
     select count(*)::integer as number, (count(*) filter (where w.due_at <= now()))::integer as due,
            min(w.due_at) filter (where w.due_at <= now()) as oldest
     from (select due_at from waiting
           where tenant_id = $tenantId and endpoint_id = e.id and lease is null and due_at >= e.first_due
           order by tenant_id, endpoint_id, due_at, id limit ${maxCounted}) w
   ) queued
   where e.tenant_id = $tenantId and (e.first_due is not null or e.in_flight > 0) and queued.number + e.in_flight > 0
   order by due desc, waiting desc, e.id`,
);
