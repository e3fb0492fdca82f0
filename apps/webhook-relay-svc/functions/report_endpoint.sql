-- Adds an event about a changed endpoint to the outbox, in the transaction of the change. `p_member` is one more member of its
-- data. Returns the id of the event.
create function report_endpoint(
  p_type text, p_endpoint endpoints, p_failing_since timestamptz, p_traceparent text, p_member text, p_value json)
returns bigint language sql as $$
  insert into outbox (lane, event_type, tenant_id, entity, entity_id, form_id, revision, traceparent, data)
  values (
    (p_endpoint.id >> 1) % 64, p_type, p_endpoint.tenant_id, 'endpoint', p_endpoint.id,
    case p_endpoint.scope when 'form' then p_endpoint.scope_id end, p_endpoint.revision, p_traceparent,
    json_build_object(
      'id', p_endpoint.id::text, 'scope', p_endpoint.scope, 'scopeId', p_endpoint.scope_id::text,
      'failingSince', to_char(p_failing_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), p_member, p_value))
  returning event_id
$$;
