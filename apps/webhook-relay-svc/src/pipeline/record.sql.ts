import { statement, unnestUnseen } from '@canvass/postgres';
import { changedEndpoint, deadDelivery, endpointEvent, outboxColumns } from '../operational-events.sql';
import { lockedEndpoints } from './claim.sql';

/** A result that counts; one whose lease was lost before has no row. */
export interface RecordedRow {
  id: string;
  lease: string;
  /** From the change to the end of this attempt, by the database's clock. */
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
  urls: (string | undefined)[];
  answered410: boolean[];
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
  /** As the log keeps them, in JSON; null if nothing was sent. */
  attempts: (string | null)[];
}

/** Attempts of one delivery that the log keeps, the newest. */
export const keptAttempts = 100;

/** The attempts of log row `d` with one more. */
const appended = (attempt: string) =>
  `(d.attempts || ${attempt})[greatest(1, cardinality(d.attempts) + cardinality(${attempt}) - ${keptAttempts - 1}):]`;

/** When an attempt started, by the database's clock. Read once: log and statistics have the same time. */
const startedAt = `clock_timestamp() - (total_ms + waited_ms) * interval '1 millisecond' as started_at`;
/** When an attempt ended, or a delivery without one. */
const endedAt = `(now() - waited_ms * interval '1 millisecond')`;

/** Result `r`'s attempt as the log keeps it. An empty array if nothing was sent. */
const attempt = `
  case when r.attempt is null then '{}'::json[]
       else array[('{"startedAt":"' || to_char(r.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
         || '",' || substr(r.attempt, 2))::json] end`;

const phases = 'dns_ms, connect_ms, tls_ms, first_byte_ms';
const phasesOfResult = `$dnsMs::real[], $connectMs::real[], $tlsMs::real[], $firstByteMs::real[]`;
const measured = `tenant_id, endpoint_id, event_name, form_id, outcome, started_at, ${phases}, total_ms`;

/** URLs of an endpoint that answered 410. Settings may have given it another URL meanwhile. */
const goneUrls = `coalesce(array_agg(url) filter (where answered_410), '{}') as gone_urls`;
const isUrlGone = 'e.url = any(s.gone_urls)';

/**
 * The waiting rows of results, by their place. An update or delete that joined them by their ids would be
 * planned as a loop over all pairs where the planner expects one row. Their conditions on `retry_in_ms` let
 * it expect few results, so that it looks each of them up.
 */
const found = (condition: string) => `
   found as materialized (
     select r.*, w.place
     from result r
     cross join lateral (
       select ctid as place from waiting w
       where w.tenant_id = r.tenant_id and w.id = r.delivery_id and ${condition} limit 1) w
     where (select count(*) from locked) > 0
   )`;
const atPlace = 'w.ctid = r.place and w.tenant_id = r.tenant_id';
const counts = `w.tenant_id, w.id, w.lease, w.endpoint_id, w.message_id, w.event_name, w.entity_id, w.form_id,
       w.occurred_at, w.created_at`;
const results = `r.status, r.outcome, r.status_code, r.url, r.answered_410, r.traceparent, r.position,
       r.started_at, r.dns_ms, r.connect_ms, r.tls_ms, r.first_byte_ms, r.total_ms, r.waited_ms, ${attempt} as attempt`;

/**
 * Records the ends of leased deliveries and frees their slots, in one statement. All endpoints are locked
 * first, in order. A delivery and its endpoint change only if the delivery still has the lease of the
 * result. What has ended leaves \`waiting\`; what failed waits for its next attempt; both are written to
 * the log. Of several results of one endpoint the last decides its health. Disabled endpoints and dead
 * deliveries are reported in the outbox. This statement disabled an endpoint if `disabled_at` is its own
 * time: `old` would show an older row (decision 0012).
 */
export const recordResults = statement<ResultColumns, RecordedRow>(
  'record_results',
  `with result as materialized (
     select *, ${startedAt}
     from ${unnestUnseen(`$tenants::bigint[], $deliveries::bigint[], $leases::uuid[], $endpoints::bigint[],
                          $statuses::text[], $outcomes::text[], $statusCodes::integer[], $urls::text[],
                          $answered410::boolean[], $retriesInMs::float8[], $scheduleSteps::integer[],
                          $traceparents::text[], ${phasesOfResult}, $totalMs::float8[], $waitedMs::float8[],
                          $attempts::text[]`)} with ordinality
       as r (tenant_id, delivery_id, lease, endpoint_id, status, outcome, status_code, url, answered_410, retry_in_ms,
             schedule_step, traceparent, ${phases}, total_ms, waited_ms, attempt, position)
   ), ${lockedEndpoints('result')}, ${found('w.lease = r.lease')}, ended as (
     delete from waiting w using found r
     where r.retry_in_ms is null and ${atPlace} and w.lease = r.lease
     returning ${counts}, w.attempts + (r.attempt is not null)::integer as attempt_count, null::timestamptz as due_at,
       ${results}
   ), failed as (
     update waiting w set
       lease = null, lease_until = null, attempts = w.attempts + 1, schedule_step = r.schedule_step,
       due_at = now() + r.retry_in_ms * interval '1 millisecond'
     from found r
     where r.retry_in_ms between 0 and 'infinity' and ${atPlace} and w.lease = r.lease
     returning ${counts.replace('w.lease', 'r.lease')}, w.attempts as attempt_count, w.due_at, ${results}
   ), counted as materialized (
     select * from ended union all select * from failed
   ), standing as (
     select tenant_id, endpoint_id, count(*)::integer as ended, min(due_at) as first_due,
            (array_agg(outcome = 'success' order by position desc) filter (where outcome is not null))[1] as succeeds,
            coalesce(bool_or(outcome = 'success'), false) as succeeded, ${goneUrls}
     from counted group by tenant_id, endpoint_id
   ), endpoint as (
     update endpoints e set
       in_flight = e.in_flight - s.ended,
       first_due = least(e.first_due, s.first_due),
       failing_since = case when s.succeeds is null then e.failing_since when s.succeeds then null
                            when s.succeeded then now() else coalesce(e.failing_since, now()) end,
       disabled_at = case when ${isUrlGone} then coalesce(e.disabled_at, now()) else e.disabled_at end,
       disabled_reason = case when ${isUrlGone} then coalesce(e.disabled_reason, 'gone') else e.disabled_reason end,
       revision = e.revision + (${isUrlGone} and e.disabled_at is null)::integer,
       modified_at = case when (e.failing_since is null) is distinct from coalesce(s.succeeds, e.failing_since is null)
                            or (${isUrlGone} and e.disabled_at is null) then now() else e.modified_at end
     from standing s
     where e.tenant_id = s.tenant_id and e.id = s.endpoint_id
     returning ${changedEndpoint}, e.failing_since, ${isUrlGone} and e.disabled_at = now() as is_news
   ), disabled as (
     select * from endpoint where is_news
   ), logged as (
     insert into deliveries as d (tenant_id, id, message_id, endpoint_id, event_name, entity_id, form_id, status,
                                  attempt_count, last_outcome, last_status_code, last_attempt_at, occurred_at, created_at,
                                  finished_at, attempts)
     select tenant_id, id, message_id, endpoint_id, event_name, entity_id, form_id, status, attempt_count, outcome,
            status_code, case when outcome is not null then ${endedAt} end, occurred_at, created_at,
            case when due_at is null then ${endedAt} end, attempt
     from counted
     on conflict (tenant_id, id) do update set
       status = excluded.status, attempt_count = excluded.attempt_count,
       last_outcome = coalesce(excluded.last_outcome, d.last_outcome),
       last_status_code = case when excluded.last_outcome is null then d.last_status_code
                               else excluded.last_status_code end,
       last_attempt_at = coalesce(excluded.last_attempt_at, d.last_attempt_at),
       finished_at = excluded.finished_at,
       attempts = ${appended('excluded.attempts')}
   ), measured as (
     insert into recent_attempts (${measured}, status, end_to_end_ms)
     select ${measured}, status,
            case when status = 'delivered' then extract(epoch from ${endedAt} - occurred_at) * 1000 end
     from counted where outcome is not null
   ), dead as (
     select *, attempt_count as attempts, outcome as last_outcome, status_code as last_status_code
     from counted where status = 'dead'
   ), reported as (
     insert into outbox ${outboxColumns}
     ${endpointEvent('disabled', { type: `'webhook.endpoint_disabled'`, traceparent: 'null', more: `'reason', 'gone'` })}
     union all ${deadDelivery('dead')}
   )
   select id, lease, extract(epoch from ${endedAt} - occurred_at)::float8 as end_to_end_seconds from counted`,
);

const ofLate =
  'r.outcome, r.started_at, r.dns_ms, r.connect_ms, r.tls_ms, r.first_byte_ms, r.total_ms, r.logged';

/** Logs attempts whose lease was lost: they were made, but decide nothing. */
export const logLateAttempts = statement<ResultColumns>(
  'log_late_attempts',
  `with result as materialized (
     select r.*, ${attempt} as logged
     from (select *, ${startedAt}
           from ${unnestUnseen(`$tenants::bigint[], $deliveries::bigint[], $endpoints::bigint[], $outcomes::text[],
                       ${phasesOfResult}, $totalMs::float8[], $waitedMs::float8[], $attempts::text[]`)}
             as r (tenant_id, delivery_id, endpoint_id, outcome, ${phases}, total_ms, waited_ms, attempt)) r
   ), ${lockedEndpoints('result')}, ${found('w.attempts = 0')}, first_attempt as (
     update waiting w set attempts = 1 from found r where ${atPlace} and w.attempts = 0
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
     update deliveries d set attempts = ${appended('r.logged')}
     from result r where d.tenant_id = r.tenant_id and d.id = r.delivery_id
     returning d.tenant_id, d.endpoint_id, d.event_name, d.form_id, ${ofLate}
   )
   insert into recent_attempts (${measured})
   select ${measured} from first_attempt where id in (select id from logged)
   union all
   select ${measured} from added`,
);
