-- Returns where deliveries of an event go now; nulls if the current settings do not send the event to the endpoint. The newest
-- secret is the first.
create function target_of(p_tenant_id bigint, p_endpoint_id bigint, p_event_name text) returns delivery_target
language plpgsql stable strict as $$
declare
  v_target delivery_target;
begin
  select t.url, t.payload, t.format, t.credentials_sealed,
         e.failures > 0 or e.slots < e.max_in_flight or e.reported_failing,
         array(select s.sealed from endpoint_secrets s
               where s.tenant_id = p_tenant_id and s.endpoint_id = p_endpoint_id
                 and (s.expires_at is null or s.expires_at > now())
               order by s.id desc)
  into v_target
  from endpoints e
  join settings_current c on c.tenant_id = e.tenant_id and c.scope = e.scope and c.scope_id = e.scope_id
  join settings_targets t on t.tenant_id = c.tenant_id and t.scope = c.scope and t.scope_id = c.scope_id
    and t.version = c.version and t.endpoint_id = e.id and t.event_name = p_event_name
  where e.tenant_id = p_tenant_id and e.id = p_endpoint_id;
  return v_target;
end $$;
