-- Records the ends of leased deliveries and frees their slots. All endpoints are locked first, in order. A delivery and its
-- endpoint change only if the delivery still has the lease of the result. What has ended leaves `waiting`; what failed waits
-- for its next attempt; both are written to the log. Of several results of one endpoint the last decides its health; a fault
-- of the proxy decides nothing. Disabled endpoints and dead deliveries are reported in the outbox.
--
-- `p_retries_in_ms` is null for the end, and `p_attempts` if nothing was sent. Returns a row for each result that counts, with
-- the seconds from the change to the end of the attempt.
create function record_results(
  p_tenants bigint[], p_ids bigint[], p_leases uuid[], p_endpoints bigint[], p_statuses text[], p_outcomes text[],
  p_status_codes integer[], p_retries_in_ms float8[], p_schedule_steps integer[], p_traceparents text[],
  p_dns_ms real[], p_connect_ms real[], p_tls_ms real[], p_first_byte_ms real[], p_total_ms float8[], p_waited_ms float8[],
  p_attempts text[])
returns table (id bigint, lease uuid, end_to_end_seconds float8)
language plpgsql set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_arrived timestamptz := clock_timestamp(); -- before it waits for locks
  v_delivery waiting; -- before the result
  v_results counted_result[] := '{}';
  v_reported bigint[];
begin
  perform from endpoints e
  where (e.tenant_id, e.id) in (select * from unnest(p_tenants, p_endpoints))
  order by e.tenant_id, e.id for no key update;

  for n in 1 .. cardinality(p_ids) loop
    if p_retries_in_ms[n] is null then
      delete from waiting w
      where w.tenant_id = p_tenants[n] and w.id = p_ids[n] and w.lease = p_leases[n]
      returning old.* into v_delivery;
    else
      update waiting w set
        lease = null, lease_until = null, attempts = w.attempts + 1, schedule_step = p_schedule_steps[n],
        due_at = now() + p_retries_in_ms[n] * interval '1 millisecond'
      where w.tenant_id = p_tenants[n] and w.id = p_ids[n] and w.lease = p_leases[n]
      returning old.* into v_delivery;
    end if;
    if found then
      v_results := v_results || (
        n, v_delivery, v_delivery.attempts + (p_attempts[n] is not null)::integer,
        v_arrived - (p_total_ms[n] + p_waited_ms[n]) * interval '1 millisecond',
        v_arrived - p_waited_ms[n] * interval '1 millisecond')::counted_result;
    end if;
  end loop;
  if v_results = '{}' then return; end if;

  with standing as (
    select (r.delivery).tenant_id, (r.delivery).endpoint_id, count(*)::integer as ended,
           count(*) filter (where p_statuses[r.n] = 'dead' and (r.delivery).entity_id <> 0) as dead_letters,
           now() + min(p_retries_in_ms[r.n]) * interval '1 millisecond' as first_due,
           (array_agg(p_outcomes[r.n] = 'success' order by r.n desc)
             filter (where p_outcomes[r.n] is not null and p_outcomes[r.n] <> 'proxy_error'))[1] as succeeds,
           coalesce(bool_or(p_outcomes[r.n] = 'success'), false) as succeeded,
           coalesce(bool_or(p_status_codes[r.n] = 410), false) as answered_410
    from unnest(v_results) r group by 1, 2
  ), changed as (
    update endpoints e set
      in_flight = e.in_flight - s.ended,
      dead_letters = e.dead_letters + s.dead_letters,
      last_success_at = case when s.succeeded then now() else e.last_success_at end,
      first_due = least(e.first_due, s.first_due),
      failing_since = case when s.succeeds is null then e.failing_since when s.succeeds then null
                           when s.succeeded then now() else coalesce(e.failing_since, now()) end,
      disabled_at = case when s.answered_410 then coalesce(e.disabled_at, now()) else e.disabled_at end,
      disabled_reason = case when s.answered_410 then coalesce(e.disabled_reason, 'gone') else e.disabled_reason end,
      revision = e.revision + (s.answered_410 and e.disabled_at is null)::integer,
      modified_at = case when (e.failing_since is null) is distinct from coalesce(s.succeeds, e.failing_since is null)
                           or (s.answered_410 and e.disabled_at is null) then now() else e.modified_at end
    from standing s
    where e.tenant_id = s.tenant_id and e.id = s.endpoint_id
    returning e as endpoint, s.answered_410 and old.disabled_at is null as is_disabled_now
  )
  select array_agg(report_endpoint(
    'webhook.endpoint_disabled', endpoint, (endpoint).failing_since, null, 'reason', '"gone"'))
  from changed where is_disabled_now into v_reported;

  insert into deliveries as d (tenant_id, id, message_id, endpoint_id, event_name, entity_id, form_id, status,
    attempt_count, last_outcome, last_status_code, last_attempt_at, occurred_at, created_at, finished_at, attempts)
  select (r.delivery).tenant_id, (r.delivery).id, (r.delivery).message_id, (r.delivery).endpoint_id,
         (r.delivery).event_name, (r.delivery).entity_id, (r.delivery).form_id, p_statuses[r.n],
         r.attempt_count, p_outcomes[r.n], p_status_codes[r.n],
         case when p_outcomes[r.n] is not null then r.ended_at end,
         (r.delivery).occurred_at, (r.delivery).created_at, case when p_retries_in_ms[r.n] is null then r.ended_at end,
         logged_attempts(p_attempts[r.n], r.started_at)
  from unnest(v_results) r
  on conflict (tenant_id, id) do update set
    status = excluded.status, attempt_count = excluded.attempt_count,
    last_outcome = coalesce(excluded.last_outcome, d.last_outcome),
    last_status_code = case when excluded.last_outcome is null then d.last_status_code else excluded.last_status_code end,
    last_attempt_at = coalesce(excluded.last_attempt_at, d.last_attempt_at),
    finished_at = excluded.finished_at,
    attempts = newest_attempts(d.attempts || excluded.attempts);

  insert into recent_attempts (tenant_id, endpoint_id, event_name, form_id, outcome, status, started_at, dns_ms, connect_ms,
    tls_ms, first_byte_ms, total_ms, end_to_end_ms)
  select (r.delivery).tenant_id, (r.delivery).endpoint_id, (r.delivery).event_name, (r.delivery).form_id, p_outcomes[r.n],
         p_statuses[r.n], r.started_at, p_dns_ms[r.n], p_connect_ms[r.n], p_tls_ms[r.n], p_first_byte_ms[r.n],
         p_total_ms[r.n],
         case when p_statuses[r.n] = 'delivered'
              then extract(epoch from r.ended_at - (r.delivery).occurred_at) * 1000 end
  from unnest(v_results) r where p_outcomes[r.n] is not null;

  if 'dead' = any (p_statuses) then
    perform report_dead_delivery(r.delivery, r.attempt_count, p_outcomes[r.n], p_status_codes[r.n], p_traceparents[r.n])
    from unnest(v_results) r where p_statuses[r.n] = 'dead';
  end if;

  return query
  select (r.delivery).id, (r.delivery).lease,
         extract(epoch from r.ended_at - (r.delivery).occurred_at)::float8
  from unnest(v_results) r;
end $$;
