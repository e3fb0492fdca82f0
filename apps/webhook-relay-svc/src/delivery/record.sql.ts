import { positionalStatement } from '@canvass/postgres';
import { changedEndpoint, deadDelivery, endpointEvent, outboxColumns } from '../operational-events';

/** A result that counts; one that came after its lease was lost has no row. */
export interface RecordedRow {
  id: string;
  /** Of the lease under which it was made; a delivery may have results under two. */
  token: string;
  /** From the change to this attempt's end, by the database's clock. */
  end_to_end_seconds: number;
}

/**
 * Of an endpoint's results the URLs that are gone. Settings may have given it another meanwhile, which is
 * another receiver.
 */
const goneUrls = `coalesce(array_agg(url) filter (where disables), '{}') as gone_urls`;
const isGone = 'e.url = any(s.gone_urls)';

/**
 * Records attempts and gives their leases back, in one statement. Each attempt is logged; a delivery and its
 * endpoint change only while the lease is still held. Of several results of one endpoint the last decides how
 * it stands. An endpoint that is disabled by it and a delivery that is dead by it are told of in the outbox.
 *
 * All rows that stay are locked, in order, before the first lease is given back: a claim holds deliveries
 * while it waits for leases that end, so whoever ends one may not wait for a delivery any more.
 *
 * In this file a delivery is found by its id alone, which leaves the primary key. Written the usual way, a
 * plan made while the table was empty walked all deliveries of the tenant, and sessions keep such a plan
 * until the first analyze.
 *
 * Arrays with one entry per attempt: $1 tenants, $2 deliveries, $3 tokens, $4 endpoints, $5 numbers, $6
 * outcomes, $7 status codes, $8 errors, $9 urls, $10 remote addresses, $11–$15 ms of dns, connect, tls, first
 * byte, total, $16 request headers, $17 bodies, $18 truncated, $19 statuses after it, $20 ms until the next
 * try or null, $21 schedule steps after it, $22 whether the URL is gone, $23 traceparents
 */
export const recordAttempts = positionalStatement(
  'record_attempts',
  `with result as materialized (
     select * from unnest($1::bigint[], $2::bigint[], $3::uuid[], $4::bigint[], $5::integer[], $6::text[], $7::integer[],
                          $8::text[], $9::text[], $10::text[], $11::real[], $12::real[], $13::real[], $14::real[],
                          $15::real[], $16::json[], $17::bytea[], $18::boolean[], $19::text[], $20::float8[],
                          $21::integer[], $22::boolean[], $23::text[]) with ordinality
       as r (tenant_id, delivery_id, token, endpoint_id, number, outcome, status_code, error, url, remote_address, dns_ms,
             connect_ms, tls_ms, first_byte_ms, total_ms, request_headers, response_body, response_truncated, status,
             retry_in_ms, schedule_step, disables, traceparent, position)
   ), held as materialized (
     select d.id from result r join deliveries d on d.id = r.delivery_id and d.tenant_id is not distinct from r.tenant_id
     order by d.id for no key update of d
   ), changing as materialized (
     select e.id from endpoints e join (
       select tenant_id, endpoint_id, (array_agg(outcome = 'success' order by position desc))[1] as succeeds,
              ${goneUrls}
       from result group by tenant_id, endpoint_id
     ) s on s.tenant_id = e.tenant_id and s.endpoint_id = e.id
     where (e.failing_since is null) is distinct from s.succeeds or (${isGone} and e.disabled_at is null)
     order by e.tenant_id, e.id for no key update of e
   ), released as materialized (
     delete from leases l using result r
     where l.tenant_id is not distinct from r.tenant_id and l.delivery_id = r.delivery_id and l.token = r.token
       and l.delivery_id = any(array(select id from held)) and (select count(*) from changing) >= 0
     returning l.delivery_id, l.token
   ), counted as materialized (
     select * from result where (delivery_id, token) in (select delivery_id, token from released)
   ), attempt as (
     insert into attempts (tenant_id, delivery_id, number, started_at, outcome, status_code, error, url,
                           remote_address, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, request_headers,
                           response_body, response_truncated)
     select tenant_id, delivery_id, number, now() - total_ms * interval '1 millisecond', outcome, status_code, error, url,
            remote_address, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, request_headers, response_body,
            response_truncated
     from result
   ), standing as (
     select tenant_id, endpoint_id, (array_agg(outcome = 'success' order by position desc))[1] as succeeds,
            bool_or(outcome = 'success') as succeeded, ${goneUrls}
     from counted group by tenant_id, endpoint_id
   ), endpoint as (
     update endpoints e set
       failing_since = case when s.succeeds then null when s.succeeded then now() else coalesce(e.failing_since, now()) end,
       disabled_at = case when ${isGone} then coalesce(e.disabled_at, now()) else e.disabled_at end,
       disabled_reason = case when ${isGone} then coalesce(e.disabled_reason, 'gone') else e.disabled_reason end,
       revision = e.revision + (${isGone} and e.disabled_at is null)::integer,
       modified_at = now()
     from standing s
     where e.tenant_id = s.tenant_id and e.id = s.endpoint_id
       and ((e.failing_since is null) is distinct from s.succeeds or (${isGone} and e.disabled_at is null))
     returning ${changedEndpoint}, e.failing_since, old.disabled_at is null and e.disabled_at is not null as is_news
   ), disabled as (
     select * from endpoint where is_news
   ), delivery as (
     update deliveries d set
       attempts = r.number, schedule_step = r.schedule_step, status = r.status, last_outcome = r.outcome,
       last_status_code = r.status_code, last_attempt_at = now(),
       next_attempt_at = now() + r.retry_in_ms * interval '1 millisecond',
       finished_at = case when r.retry_in_ms is null then now() end
     from counted r
     where d.id = r.delivery_id and d.tenant_id is not distinct from r.tenant_id
     returning r.token, r.traceparent, d.*
   ), told as (
     insert into outbox ${outboxColumns}
     ${endpointEvent('disabled', { type: `'webhook.endpoint_disabled'`, traceparent: 'null', more: `'reason', 'gone'` })}
     union all ${deadDelivery('delivery')}
   )
   select token, id, extract(epoch from now() - occurred_at)::float8 as end_to_end_seconds from delivery`,
);

/** $1 tenant, $2 delivery, $3 token: its endpoint is no longer in the settings. */
export const recordCancelled = positionalStatement(
  'record_cancelled',
  `with held as materialized (
     select d.id from deliveries d where d.id = $2 and d.tenant_id is not distinct from $1 for no key update
   ), released as (
     delete from leases where tenant_id is not distinct from $1 and delivery_id = (select id from held) and token = $3 returning delivery_id
   )
   update deliveries d set status = 'cancelled', next_attempt_at = null, finished_at = now()
   from released where d.id = $2 and d.tenant_id is not distinct from $1
   returning d.id`,
);

/** $1 tenant, $2 delivery, $3 token: given back untried, due at once for another process. */
export const releaseLease = positionalStatement(
  'release_lease',
  `with held as materialized (
     select d.id from deliveries d where d.id = $2 and d.tenant_id is not distinct from $1 for no key update
   ), released as (
     delete from leases where tenant_id is not distinct from $1 and delivery_id = (select id from held) and token = $3 returning delivery_id
   )
   update deliveries d set next_attempt_at = now()
   from released where d.id = $2 and d.tenant_id is not distinct from $1 and d.next_attempt_at > now()
   returning d.id`,
);
