import { statement } from '@canvass/postgres';

export interface BacklogRow {
  waiting: number;
  due: number;
  /** The oldest of endpoints without recent failures, and of those with; 0 if nothing is due. */
  oldest_healthy_seconds: number;
  oldest_degraded_seconds: number;
}

/**
 * Counts for metrics, over all tenants, from the state of the queue. Each part reads at most 100,000
 * deliveries or 10,000 endpoints, so a backlog of millions costs no more. Endpoints with something due are
 * ready, or wait for a slot or an open circuit; the scheduled ones after those have their deliveries in the
 * future.
 */
export const backlog = statement<void, BacklogRow>(
  'backlog',
  `with leased as (
     select w.due_at, e.failures > 0 as is_degraded
     from (select * from waiting where lease_until is not null order by lease_until limit 100000) w
     join endpoints e on e.tenant_id = w.tenant_id and e.id = w.endpoint_id
     where e.disabled_at is null and w.due_at <= now()
   ), queued as (
     (select tenant_id, id, first_due, failures from endpoints where is_ready order by ready_at limit 10000)
     union all
     (select tenant_id, id, first_due, failures from endpoints
      where not is_ready and ready_at is not null order by ready_at limit 10000)
     union all
     (select e.tenant_id, e.id, e.first_due, e.failures
      from (select distinct tenant_id, endpoint_id
            from (select * from waiting where lease_until is not null order by lease_until limit 10000) w) full_ones
      join endpoints e on e.tenant_id = full_ones.tenant_id and e.id = full_ones.endpoint_id
      where e.first_due is not null and not e.is_ready and e.ready_at is null and e.disabled_at is null
        and e.removed_at is null)
   ), oldest as (
     select due_at, is_degraded from leased
     union all
     select first_due, failures > 0 from queued where first_due <= now()
   )
   select
     (select count(*) from (select from waiting order by tenant_id, id limit 100000) counted)::integer as waiting,
     least(100000, (select count(*) from leased) + (select count(*) from (
        select from queued q cross join lateral (
          select from waiting w
          where w.tenant_id = q.tenant_id and w.endpoint_id = q.id and w.lease is null
            and w.due_at >= q.first_due and w.due_at <= now()
          order by w.tenant_id, w.endpoint_id, w.due_at, w.id limit 100000) due
        where q.first_due <= now() limit 100000) counted))::integer as due,
     coalesce(extract(epoch from now() - min(due_at) filter (where not is_degraded)), 0)::float8
       as oldest_healthy_seconds,
     coalesce(extract(epoch from now() - min(due_at) filter (where is_degraded)), 0)::float8
       as oldest_degraded_seconds
   from oldest`,
);

export interface EndpointCountRow {
  state: 'enabled' | 'slowed' | 'paused' | 'disabled';
  count: number;
}

/** Endpoints that are in the settings, by state, over all tenants, counted up to 100,000. */
export const countEndpoints = statement<void, EndpointCountRow>(
  'count_endpoints',
  `select case when disabled_at is not null then 'disabled'
               when resume_at > now() then 'paused'
               when failures > 0 or slots < max_in_flight then 'slowed'
               else 'enabled' end as state,
          count(*)::integer as count
   from (select * from endpoints where removed_at is null limit 100000) counted
   group by 1`,
);
