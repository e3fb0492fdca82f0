-- Cancels at most `p_rows` waiting deliveries of one endpoint that was removed from the settings. Returns how many, or null if
-- no removed endpoint has any. `enable_sort` is off as in `claim_due`.
create function cancel_removed(p_rows integer) returns integer
language plpgsql set enable_sort = off set enable_incremental_sort = off as $$
declare
  v_endpoint record;
  v_cancelled integer;
  v_last timestamptz;
begin
  select e.tenant_id, e.id, e.first_due into v_endpoint from endpoints e
  where e.removed_at is not null and e.first_due is not null
  order by e.tenant_id, e.id limit 1 for no key update skip locked;
  if not found then return null; end if;

  with step as materialized (
    select w.ctid as place from waiting w
    where w.tenant_id = v_endpoint.tenant_id and w.endpoint_id = v_endpoint.id and w.lease is null
      and w.due_at >= v_endpoint.first_due
    order by w.tenant_id, w.endpoint_id, w.due_at, w.id limit p_rows
  ), cancelled as (
    delete from waiting w using step where w.ctid = step.place and w.tenant_id = v_endpoint.tenant_id returning w.*
  ), logged as (
    insert into deliveries as d (tenant_id, id, message_id, endpoint_id, event_name, entity_id, form_id, status,
                                 attempt_count, occurred_at, created_at, finished_at, attempts)
    select c.tenant_id, c.id, c.message_id, c.endpoint_id, c.event_name, c.entity_id, c.form_id, 'cancelled',
           c.attempts, c.occurred_at, c.created_at, now(), '{}'
    from cancelled c
    on conflict (tenant_id, id) do update set status = 'cancelled', finished_at = now()
  )
  select count(*), max(due_at) into v_cancelled, v_last from cancelled;
  update endpoints e set first_due = case when v_cancelled = p_rows then v_last end
  where e.tenant_id = v_endpoint.tenant_id and e.id = v_endpoint.id;
  return v_cancelled;
end $$;
