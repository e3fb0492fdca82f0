import { statement } from '@canvass/postgres';

/** What waits, over all tenants: numbers only, for metrics. */
export const backlog = statement(
  'backlog',
  `select count(*) as waiting,
          greatest(0, coalesce(extract(epoch from now() - min(d.next_attempt_at)
            filter (where e.disabled_at is null)), 0))::float8 as oldest_due_seconds
   from deliveries d join endpoints e on e.tenant_id = d.tenant_id and e.id = d.endpoint_id
   where d.next_attempt_at is not null`,
);
