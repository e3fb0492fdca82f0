import { statement } from '@canvass/postgres';
import { changedEndpoint, endpointEvent, outboxColumns } from '../operational-events.sql';

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

const changed = (set: string, returning: string, condition = 'true') => `
  with changed as (
    update endpoints e set ${set}, revision = e.revision + 1, modified_at = now()
    where e.tenant_id = $tenantId and e.id = $endpointId and ${condition}
    returning ${changedEndpoint}, ${returning}
  )
  insert into outbox ${outboxColumns}`;

/** `traceparent` is that of the attempt. */
type Reported = Endpoint & { traceparent: string | null };

/** Reports that it fails. */
export const reportFailing = statement<Reported>(
  'report_endpoint_failing',
  `${changed('reported_failing = true', 'coalesce(e.failing_since, now()) as failing_since, e.failures')}
   ${endpointEvent('changed', { type: `'webhook.endpoint_failing'`, traceparent: '$traceparent', more: `'failures', c.failures` })}`,
);

const disabling = `disabled_at = now(), disabled_reason = 'failing'`;
const isUnsuccessful = `e.disabled_at is null and e.failing_since < now() - $seconds::float8 * interval '1 second'`;

/** Disables it, if it is enabled and has had no success for `seconds`. A row if it was done. */
export const disableUnsuccessful = statement<Reported & { seconds: number }, { event_id: string }>(
  'disable_unsuccessful_endpoint',
  `${changed(disabling, 'e.failing_since', isUnsuccessful)}
   ${endpointEvent('changed', { type: `'webhook.endpoint_disabled'`, traceparent: '$traceparent', more: `'reason', 'failing'` })}
   returning event_id`,
);

/** Reports that it does not fail any more. */
export const reportRecovered = statement<Reported>(
  'report_endpoint_recovered',
  `${changed('reported_failing = false', 'e.failing_since')}
   ${endpointEvent('changed', { type: `'webhook.endpoint_recovered'`, traceparent: '$traceparent', more: `'reason', 'success'` })}`,
);
