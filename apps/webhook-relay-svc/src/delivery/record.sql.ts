import { statement } from '@canvass/postgres';

/** Nothing when the lease was lost: the result came too late to count. */
export interface RecordedRow {
  /** From the change to this attempt's end, by the database's clock. */
  end_to_end_seconds: number;
}

/**
 * Records an attempt and gives the lease back, in one statement. The attempt is always logged; the delivery and its endpoint
 * change only while the lease is still held.
 *
 * Here and below only `d.id = $2` can be answered by an index, which leaves the primary key. Written the usual way, a plan
 * made while the table was empty walked all deliveries of the tenant, and sessions keep such a plan until the first analyze.
 *
 * $1 tenant, $2 delivery, $3 token, $4 endpoint, $5 number, $6 outcome, $7 status code, $8 error, $9 url,
 * $10 remote address, $11–$15 ms of dns, connect, tls, first byte, total, $16 request headers, $17 body, $18 truncated,
 * $19 status after it, $20 ms until the next try or null, $21 schedule step after it, $22 disable the endpoint
 */
export const recordAttempt = statement(
  'record_attempt',
  `with released as (
     delete from leases where tenant_id = $1 and delivery_id = $2 and token = $3 returning delivery_id
   ), attempt as (
     insert into attempts (tenant_id, delivery_id, number, started_at, outcome, status_code, error, url,
                           remote_address, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, request_headers,
                           response_body, response_truncated)
     values ($1, $2, $5::integer, now() - $15::float8 * interval '1 millisecond', $6::text, $7::integer, $8, $9, $10, $11, $12, $13, $14,
             $15::float8,
             $16, $17, $18)
   ), endpoint as (
     update endpoints e set
       failing_since = case when $6::text = 'success' then null else coalesce(e.failing_since, now()) end,
       disabled_at = case when $22::boolean then coalesce(e.disabled_at, now()) else e.disabled_at end,
       disabled_reason = case when $22::boolean then coalesce(e.disabled_reason, 'gone') else e.disabled_reason end,
       modified_at = now()
     from released
     where e.tenant_id = $1 and e.id = $4
       and ((e.failing_since is null) is distinct from ($6::text = 'success') or ($22::boolean and e.disabled_at is null))
   )
   update deliveries d set
     attempts = $5::integer, schedule_step = $21, status = $19, last_outcome = $6::text,
     last_status_code = $7::integer,
     last_attempt_at = now(),
     next_attempt_at = now() + $20::float8 * interval '1 millisecond',
     finished_at = case when $20::float8 is null then now() end
   from released
   where d.id = $2 and d.tenant_id is not distinct from $1
   returning extract(epoch from now() - d.occurred_at)::float8 as end_to_end_seconds`,
);

/** $1 tenant, $2 delivery, $3 token: its endpoint is no longer in the settings. */
export const recordCancelled = statement(
  'record_cancelled',
  `with released as (
     delete from leases where tenant_id = $1 and delivery_id = $2 and token = $3 returning delivery_id
   )
   update deliveries d set status = 'cancelled', next_attempt_at = null, finished_at = now()
   from released where d.id = $2 and d.tenant_id is not distinct from $1
   returning d.id`,
);

/** $1 tenant, $2 delivery, $3 token: given back untried, due at once for another process. */
export const releaseLease = statement(
  'release_lease',
  `with released as (
     delete from leases where tenant_id = $1 and delivery_id = $2 and token = $3 returning delivery_id
   )
   update deliveries d set next_attempt_at = now()
   from released where d.id = $2 and d.tenant_id is not distinct from $1 and d.next_attempt_at > now()
   returning d.id`,
);
