import { statement } from '@canvass/postgres';

interface HealthRow {
  slots: number;
  failures: number;
  max_in_flight: number;
  /** Seconds without a success; null while the last attempt succeeded. */
  failing_seconds: number | null;
  is_disabled: boolean;
  reported_failing: boolean;
}

type Endpoint = { tenantId: string; endpointId: string };

/** Locked, so that attempts that end together are counted one after the other. */
export const lockHealth = statement<Endpoint, HealthRow>(
  'lock_endpoint_health',
  `select slots, failures, max_in_flight, extract(epoch from now() - failing_since)::float8 as failing_seconds,
          disabled_at is not null as is_disabled, reported_failing
   from endpoints where tenant_id = $tenantId and id = $endpointId for no key update`,
);

export const saveHealth = statement<Endpoint & { slots: number; failures: number; pauseMs: number | null }>(
  'save_endpoint_health',
  `update endpoints set slots = $slots, failures = $failures,
     resume_at = now() + $pauseMs::float8 * interval '1 millisecond'
   where tenant_id = $tenantId and id = $endpointId`,
);

/** Changes an endpoint and reports it. A row if it was done. */
const changed = (set: string, report: string, condition = 'true') => `
  with changed as (
    update endpoints e set ${set}, revision = e.revision + 1, modified_at = now()
    where e.tenant_id = $tenantId and e.id = $endpointId and ${condition}
    returning e
  )
  select report_endpoint(${report}) as event_id from changed`;

/** `traceparent` is that of the attempt. */
type Reported = Endpoint & { traceparent: string | null };

/** Reports that it fails. Its first failure may be this one. */
export const reportFailing = statement<Reported>(
  'report_endpoint_failing',
  changed(
    'reported_failing = true',
    `'webhook.endpoint_failing', e, coalesce((e).failing_since, now()), $traceparent, 'failures', to_json((e).failures)`,
  ),
);

/** Disables it, if it is enabled and has had no success for `seconds`. A row if it was done. */
export const disableUnsuccessful = statement<Reported & { seconds: number }, { event_id: string }>(
  'disable_unsuccessful_endpoint',
  changed(
    `disabled_at = now(), disabled_reason = 'failing'`,
    `'webhook.endpoint_disabled', e, (e).failing_since, $traceparent, 'reason', '"failing"'`,
    `e.disabled_at is null and e.failing_since < now() - $seconds::float8 * interval '1 second'`,
  ),
);

/** Reports that it does not fail any more. */
export const reportRecovered = statement<Reported>(
  'report_endpoint_recovered',
  changed(
    'reported_failing = false',
    `'webhook.endpoint_recovered', e, (e).failing_since, $traceparent, 'reason', '"success"'`,
  ),
);
