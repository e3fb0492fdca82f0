-- Leases deliveries of endpoints that the caller has locked, and returns them with all that a send needs. It gets the places
-- of their rows, which cannot change under those locks.
create function lease_waiting(p_lease uuid, p_seconds float8, p_tenants bigint[], p_places tid[], p_slots timestamptz[])
returns setof claimed_delivery language plpgsql as $$
declare
  v_waiting waiting;
  v_message record;
  v_target delivery_target;
  v_claimed claimed_delivery;
begin
  for n in 1 .. coalesce(cardinality(p_places), 0) loop
    update waiting w set lease = p_lease, lease_until = clock_timestamp() + p_seconds * interval '1 second'
    where w.ctid = p_places[n] and w.tenant_id = p_tenants[n]
    returning w.* into v_waiting;
    select m.entity, m.action, m.traceparent, octet_length(m.body) as bytes,
           case when octet_length(m.body) <= 65536 then m.body end as body -- as `smallBodyBytes`
    into v_message
    from messages m where m.tenant_id = v_waiting.tenant_id and m.id = v_waiting.message_id;
    v_target := target_of(v_waiting.tenant_id, v_waiting.endpoint_id, v_waiting.event_name);

    v_claimed.id := v_waiting.id;
    v_claimed.tenant_id := v_waiting.tenant_id;
    v_claimed.endpoint_id := v_waiting.endpoint_id;
    v_claimed.message_id := v_waiting.message_id;
    v_claimed.event_name := v_waiting.event_name;
    v_claimed.attempts := v_waiting.attempts;
    v_claimed.schedule_step := v_waiting.schedule_step;
    v_claimed.claimed_at := extract(epoch from clock_timestamp());
    v_claimed.send_at := extract(epoch from p_slots[n]);
    v_claimed.entity := v_message.entity;
    v_claimed.action := v_message.action;
    v_claimed.traceparent := v_message.traceparent;
    v_claimed.bytes := v_message.bytes;
    v_claimed.body := v_message.body;
    v_claimed.url := v_target.url;
    v_claimed.auth_header := v_target.auth_header;
    v_claimed.api_key_sealed := v_target.api_key_sealed;
    v_claimed.is_degraded := coalesce(v_target.is_degraded, false);
    v_claimed.secrets := v_target.secrets;
    return next v_claimed;
  end loop;
end $$;
