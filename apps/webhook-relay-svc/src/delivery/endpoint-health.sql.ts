import { statement } from '@canvass/postgres';

export interface HealthRow {
  slots: number;
  failures: number;
  max_in_flight: number;
  /** Since when no attempt has succeeded; null while the last one did. */
  failing_seconds: number | null;
}

/** $1 tenant, $2 endpoint. Locked, so that attempts that end together are counted one after the other. */
export const lockHealth = statement(
  'lock_endpoint_health',
  `select slots, failures, max_in_flight, extract(epoch from now() - failing_since)::float8 as failing_seconds
   from endpoints where tenant_id = $1 and id = $2 for no key update`,
);

/** $1 tenant, $2 endpoint, $3 slots, $4 failures, $5 ms of pause or null, $6 disable it as failing */
export const saveHealth = statement(
  'save_endpoint_health',
  `update endpoints set slots = $3, failures = $4, resume_at = now() + $5::float8 * interval '1 millisecond',
     disabled_at = case when $6 then coalesce(disabled_at, now()) else disabled_at end,
     disabled_reason = case when $6 then coalesce(disabled_reason, 'failing') else disabled_reason end,
     modified_at = case when $6 then now() else modified_at end
   where tenant_id = $1 and id = $2`,
);
