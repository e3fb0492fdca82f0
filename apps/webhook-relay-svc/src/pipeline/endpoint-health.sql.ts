import { positionalStatement } from '@canvass/postgres';
import { changedEndpoint, endpointEvent, outboxColumns } from '../operational-events';

export interface HealthRow {
  slots: number;
  failures: number;
  max_in_flight: number;
  /** Seconds without a success; null while the last attempt succeeded. */
  failing_seconds: number | null;
  is_disabled: boolean;
  reported_failing: boolean;
}

/** $1 tenant, $2 endpoint. Locked, so that attempts that end together are counted one after the other. */
export const lockHealth = positionalStatement(
  'lock_endpoint_health',
  `select slots, failures, max_in_flight, extract(epoch from now() - failing_since)::float8 as failing_seconds,
          disabled_at is not null as is_disabled, reported_failing
   from endpoints where tenant_id = $1 and id = $2 for no key update`,
);

/** $1 tenant, $2 endpoint, $3 slots, $4 failures, $5 ms of pause or null */
export const saveHealth = positionalStatement(
  'save_endpoint_health',
  `update endpoints set slots = $3, failures = $4, resume_at = now() + $5::float8 * interval '1 millisecond'
   where tenant_id = $1 and id = $2`,
);

const changed = (set: string, returning: string, condition = 'true') => `
  with changed as (
    update endpoints e set ${set}, revision = e.revision + 1, modified_at = now()
    where e.tenant_id = $1 and e.id = $2 and ${condition}
    returning ${changedEndpoint}, ${returning}
  )
  insert into outbox ${outboxColumns}`;

// In all of them: $1 tenant, $2 endpoint, $3 traceparent of the attempt or null.

/** Reports that it fails. */
export const reportFailing = positionalStatement(
  'report_endpoint_failing',
  `${changed('reported_failing = true', 'coalesce(e.failing_since, now()) as failing_since, e.failures')}
   ${endpointEvent('changed', { type: `'webhook.endpoint_failing'`, traceparent: '$3', more: `'failures', c.failures` })}`,
);

const disabling = `disabled_at = now(), disabled_reason = 'failing'`;
const disabledEvent = endpointEvent('changed', {
  type: `'webhook.endpoint_disabled'`,
  traceparent: '$3',
  more: `'reason', 'failing'`,
});

/** Disables it and reports that. */
export const disableFailing = positionalStatement(
  'disable_failing_endpoint',
  `${changed(disabling, 'e.failing_since')}
   ${disabledEvent}`,
);

/** The same, if it is enabled and has had no success for $4 seconds. A row if it was done. */
export const disableUnsuccessful = positionalStatement(
  'disable_unsuccessful_endpoint',
  `${changed(disabling, 'e.failing_since', `e.disabled_at is null and e.failing_since < now() - $4::float8 * interval '1 second'`)}
   ${disabledEvent}
   returning event_id`,
);

/** Reports that it does not fail any more. */
export const reportRecovered = positionalStatement(
  'report_endpoint_recovered',
  `${changed('reported_failing = false', 'e.failing_since')}
   ${endpointEvent('changed', { type: `'webhook.endpoint_recovered'`, traceparent: '$3', more: `'reason', 'success'` })}`,
);
