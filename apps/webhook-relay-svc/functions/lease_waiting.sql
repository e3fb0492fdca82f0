-- Leases deliveries of endpoints that the caller has locked, and returns them with all that a send needs. It gets the places
-- of their rows, which cannot change under those locks.
create function lease_waiting(p_lease uuid, p_seconds float8, p_tenants bigint[], p_places tid[], p_slots timestamptz[])
returns setof claimed_delivery language plpgsql as $$
declare
  v_waiting waiting;
begin
  for n in 1 .. coalesce(cardinality(p_places), 0) loop
    update waiting w set lease = p_lease, lease_until = clock_timestamp() + p_seconds * interval '1 second'
    where w.ctid = p_places[n] and w.tenant_id = p_tenants[n]
    returning w.* into v_waiting;
    return query
    select v_waiting.id, v_waiting.tenant_id, v_waiting.endpoint_id, v_waiting.message_id, v_waiting.event_name,
           v_waiting.attempts, v_waiting.schedule_step, extract(epoch from clock_timestamp())::float8,
           extract(epoch from p_slots[n])::float8, m.entity, m.action, m.traceparent, octet_length(m.body),
           coalesce(floor(extract(epoch from m.occurred_at) * 1000), 0)::float8,
           case when octet_length(m.body) <= 65536 then m.body end, -- as `smallBodyBytes`
           t.url, t.payload, t.format, t.credentials_sealed, coalesce(t.is_degraded, false), t.secrets
    from target_of(v_waiting.tenant_id, v_waiting.endpoint_id, v_waiting.event_name) t
    left join messages m on m.tenant_id = v_waiting.tenant_id and m.id = v_waiting.message_id;
  end loop;
end $$;
