import { positionalStatement } from '@canvass/postgres';

export interface BacklogRow {
  waiting: number;
  due: number;
  /** Of endpoints that do well, and of those that do not; 0 where nothing is due. */
  oldest_healthy_seconds: number;
  oldest_degraded_seconds: number;
}

/**
 * What waits, over all tenants: numbers only, for metrics. Counted along the index of what waits up to a
 * bound, and of each endpoint the first row alone is looked at for its age, so that a backlog of millions
 * costs no more than one of a hundred thousand. What waits for an endpoint that is disabled is waiting, never
 * due.
 */
export const backlog = positionalStatement(
  'backlog',
  `with recursive waiting as (
     (select tenant_id, endpoint_id, next_attempt_at from deliveries where next_attempt_at is not null
      order by tenant_id, endpoint_id, next_attempt_at limit 1)
     union all
     select following.* from waiting cross join lateral (
       select d.tenant_id, d.endpoint_id, d.next_attempt_at from deliveries d
       where d.next_attempt_at is not null
         and (d.tenant_id, d.endpoint_id) > (waiting.tenant_id, waiting.endpoint_id)
       order by d.tenant_id, d.endpoint_id, d.next_attempt_at limit 1
     ) following
   ), first_rows as materialized (
     select * from waiting limit 10000
   ), first_of as materialized (
     select w.*, e.failures > 0 as is_ailing
     from first_rows w
     join endpoints e on e.tenant_id = w.tenant_id and e.id = w.endpoint_id and e.disabled_at is null
     where w.next_attempt_at <= now()
   )
   select
     (select count(*) from (
        select from first_rows w cross join lateral (
          select from deliveries d
          where d.tenant_id = w.tenant_id and d.endpoint_id = w.endpoint_id and d.next_attempt_at is not null
          order by d.next_attempt_at limit 100000) d
        limit 100000) counted)::integer as waiting,
     (select count(*) from (
        select from first_of f cross join lateral (
          select from deliveries d
          where d.tenant_id = f.tenant_id and d.endpoint_id = f.endpoint_id and d.next_attempt_at <= now()
          order by d.next_attempt_at limit 100000) d
        limit 100000) counted)::integer as due,
     coalesce(extract(epoch from now() - min(next_attempt_at) filter (where not is_ailing)), 0)::float8
       as oldest_healthy_seconds,
     coalesce(extract(epoch from now() - min(next_attempt_at) filter (where is_ailing)), 0)::float8
       as oldest_degraded_seconds
   from first_of`,
);

export interface EndpointCountRow {
  state: 'enabled' | 'slowed' | 'paused' | 'disabled';
  count: number;
}

/** Endpoints that are in the settings, by state, over all tenants, counted up to 100,000. */
export const countEndpoints = positionalStatement(
  'count_endpoints',
  `select case when disabled_at is not null then 'disabled'
               when resume_at > now() then 'paused'
               when failures > 0 or slots < max_in_flight then 'slowed'
               else 'enabled' end as state,
          count(*)::integer as count
   from (select * from endpoints where removed_at is null limit 100000) counted
   group by 1`,
);
