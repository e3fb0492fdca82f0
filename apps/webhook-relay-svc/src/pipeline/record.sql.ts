import { statement } from '@canvass/postgres';
import { lockedEndpoints } from './claim.sql';

/** A result that counts; one whose lease was lost before has no row. */
export interface RecordedRow {
  id: string;
  lease: string;
  /** The time from the change to the end of this attempt, by the database's clock. */
  end_to_end_seconds: number;
}

/** Ends of deliveries, one entry for each. Without an attempt there is no outcome. */
export interface ResultColumns {
  tenants: string[];
  deliveries: string[];
  endpoints: string[];
  leases: string[];
  statuses: string[];
  outcomes: (string | undefined)[];
  statusCodes: (number | null | undefined)[];
  /** Milliseconds until the next attempt; null for the end. */
  retriesInMs: (number | null)[];
  scheduleSteps: number[];
  traceparents: (string | null | undefined)[];
  /** Milliseconds of each phase of the attempt; null if it had none. */
  dnsMs: (number | null)[];
  connectMs: (number | null)[];
  tlsMs: (number | null)[];
  firstByteMs: (number | null)[];
  /** Milliseconds that the attempt took. */
  totalMs: number[];
  /** Milliseconds since its end. */
  waitedMs: number[];
  /** Attempts as the log keeps them, in JSON; null if nothing was sent. */
  attempts: (string | null)[];
}

/** Attempts of one delivery that the log keeps, the newest; as in `newest_attempts`. */
export const keptAttempts = 100;

/** Records the ends of leased deliveries and frees their slots: `functions/record_results.sql`. */
export const recordResults = statement<ResultColumns, RecordedRow>(
  'record_results',
  `select * from record_results(
     $tenants, $deliveries, $leases, $endpoints, $statuses, $outcomes, $statusCodes, $retriesInMs, $scheduleSteps,
     $traceparents, $dnsMs, $connectMs, $tlsMs, $firstByteMs, $totalMs, $waitedMs, $attempts)`,
);

const phases = 'dns_ms, connect_ms, tls_ms, first_byte_ms';
const measured = `tenant_id, endpoint_id, event_name, form_id, outcome, started_at, ${phases}, total_ms`;
const ofLate = `r.outcome, r.started_at, r.dns_ms, r.connect_ms, r.tls_ms, r.first_byte_ms, r.total_ms, r.logged`;

/** Logs attempts whose lease was lost: they were made, but decide nothing. */
export const logLateAttempts = statement<ResultColumns>(
  'log_late_attempts',
  `with result as (
     select r.*, s.started_at, logged_attempts(r.attempt, s.started_at) as logged
     from unnest($tenants::bigint[], $deliveries::bigint[], $endpoints::bigint[], $outcomes::text[], $dnsMs::real[],
                 $connectMs::real[], $tlsMs::real[], $firstByteMs::real[], $totalMs::float8[], $waitedMs::float8[],
                 $attempts::text[])
       as r (tenant_id, delivery_id, endpoint_id, outcome, ${phases}, total_ms, waited_ms, attempt)
     cross join lateral (
       select clock_timestamp() - (total_ms + waited_ms) * interval '1 millisecond' as started_at) s
   ), ${lockedEndpoints('result')}, untried as materialized (
     select r.*, w.place from result r
     cross join lateral (
       select ctid as place from waiting w
       where w.tenant_id = r.tenant_id and w.id = r.delivery_id and w.attempts = 0 limit 1) w
     where (select count(*) from locked) > 0
   ), first_attempt as (
     update waiting w set attempts = 1 from untried r
     where w.ctid = r.place and w.tenant_id = r.tenant_id and w.attempts = 0
     returning w.*, ${ofLate}
   ), logged as (
     insert into deliveries (tenant_id, id, message_id, endpoint_id, event_name, entity_id, form_id, status,
                             attempt_count, occurred_at, created_at, attempts)
     select tenant_id, id, message_id, endpoint_id, event_name, entity_id, form_id, 'pending', 1, occurred_at,
            created_at, logged
     from first_attempt
     on conflict do nothing
     returning id
   ), added as (
     update deliveries d set attempts = newest_attempts(d.attempts || r.logged)
     from result r where d.tenant_id = r.tenant_id and d.id = r.delivery_id
     returning d.tenant_id, d.endpoint_id, d.event_name, d.form_id, ${ofLate}
   )
   insert into recent_attempts (${measured})
   select ${measured} from first_attempt where id in (select id from logged)
   union all
   select ${measured} from added`,
);
