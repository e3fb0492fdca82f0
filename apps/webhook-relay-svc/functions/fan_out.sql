-- Makes for each event its message and one delivery per endpoint of its settings. An event without endpoints, whose message
-- exists because it was delivered again, or whose submission was erased since, makes nothing.
--
-- Deliveries that may start at once are leased here, so no second commit stands between an event and its first attempt: as
-- many as their endpoint has free slots and send slots, unless others of the endpoint are due already, up to the room of the
-- process and the share of the tenant (as in `claim_due`). The others are left to their jobs for `p_sweep_after` seconds.
--
-- Events come in the order of tenant and id, and endpoints are locked in that order everywhere, so there is no deadlock.
-- The bodies are one after the other in `p_bodies`. `p_left_out` are endpoints that do not get an event, because their filters
-- do not hold; `p_left_out_of` are the indexes of those events.
create function fan_out(
  p_ids bigint[], p_tenants bigint[], p_event_names text[], p_entities text[], p_actions text[], p_bodies bytea,
  p_sizes integer[], p_traceparents text[], p_occurred_at timestamptz[], p_entity_ids bigint[], p_form_ids bigint[],
  p_scopes text[], p_scope_ids bigint[], p_versions bigint[], p_left_out bigint[], p_left_out_of integer[],
  p_lease uuid, p_seconds float8, p_room integer, p_share integer, p_busy_tenants bigint[], p_used integer[], p_lead float8,
  p_sweep_after float8)
returns setof made_delivery language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  v_events integer[]; -- the index of the event of each delivery, and its endpoint
  v_targets bigint[];
begin
  with event as (
    select e.*, (sum(size) over (order by n) - size)::integer + 1 as start
    from unnest(
      p_ids, p_tenants, p_event_names, p_entities, p_actions, p_sizes, p_traceparents, p_occurred_at, p_entity_ids, p_scopes,
      p_scope_ids, p_versions) with ordinality
      e (id, tenant_id, event_name, entity, action, size, traceparent, occurred_at, entity_id, scope, scope_id, version, n)
  ), target as (
    select e.n, e.tenant_id, e.id, t.endpoint_id
    from event e
    cross join lateral (
      select t.endpoint_id from settings_targets t
      where t.tenant_id = e.tenant_id and t.scope = e.scope and t.scope_id = e.scope_id and t.version = e.version
        and t.event_name = e.event_name and t.is_enabled
      offset 0) t -- by the index, for each event
    where (t.endpoint_id, e.n) not in (select l.id, l.of_event from unnest(p_left_out, p_left_out_of) l (id, of_event)) -- hashed
  ), message as (
    insert into messages (tenant_id, id, event_name, entity, action, body, traceparent, occurred_at)
    select tenant_id, id, event_name, entity, action, substring(p_bodies from start for size), traceparent, occurred_at
    from event e
    where n in (select n from target) and (action = 'deleted' or not exists (
      select from erasures x where x.tenant_id = e.tenant_id and x.entity_id = e.entity_id and x.event_id > e.id))
    order by n
    on conflict (tenant_id, id) do nothing
    returning tenant_id, id
  )
  select array_agg(n::integer), array_agg(endpoint_id) into v_events, v_targets
  from target where (tenant_id, id) in (select tenant_id, id from message);
  if v_events is null then return; end if;

  perform from endpoints e
  where (e.tenant_id, e.id) in (select p_tenants[m.n], m.endpoint_id from unnest(v_events, v_targets) m (n, endpoint_id))
  order by e.tenant_id, e.id for no key update;

  return query
  with endpoint as materialized ( -- with the deliveries that it and its tenant may start
    select e.tenant_id, e.id, e.first_due, slot.first_slot, slot.apart,
           case when e.disabled_at is not null or e.removed_at is not null or e.resume_at > clock_timestamp()
                  or e.first_due <= clock_timestamp() then 0
                else least(least(e.slots, e.max_in_flight) - e.in_flight, slot.free_slots) end as free,
           p_share - coalesce((select u.used from unnest(p_busy_tenants, p_used) u (tenant_id, used)
                               where u.tenant_id = e.tenant_id), 0) as tenant_room
    from (select distinct p_tenants[m.n] as tenant_id, m.endpoint_id from unnest(v_events, v_targets) m (n, endpoint_id)) m
    cross join lateral (
      select * from endpoints e where e.tenant_id = m.tenant_id and e.id = m.endpoint_id limit 1) e
    cross join lateral send_slots(
      e.max_per_second, e.next_send_at, clock_timestamp() + p_lead * interval '1 second') slot
  ), made as (
    select next_id() as id, m.n, e.*, row_number() over (partition by e.tenant_id, e.id order by m.n) as rank
    from unnest(v_events, v_targets) m (n, endpoint_id)
    join endpoint e on e.tenant_id = p_tenants[m.n] and e.id = m.endpoint_id
  ), placed as (
    select *, first_slot + (rank - 1) * apart as send_at,
           may_start and row_number() over (partition by may_start order by rank, n) <= p_room as leased
    from (select *, rank <= free
            and row_number() over (partition by tenant_id, rank <= free order by rank, n) <= tenant_room as may_start
          from made) m (id, n, tenant_id, endpoint_id, first_due, first_slot, apart, free, tenant_room, rank, may_start)
  ), inserted as (
    insert into waiting (tenant_id, id, endpoint_id, message_id, event_name, entity_id, form_id, occurred_at, due_at,
                         lease, lease_until)
    select tenant_id, id, endpoint_id, p_ids[n], p_event_names[n], p_entity_ids[n], p_form_ids[n], p_occurred_at[n],
           now() + p_sweep_after * interval '1 second', case when leased then p_lease end,
           case when leased then clock_timestamp() + p_seconds * interval '1 second' end
    from placed
  ), endpoint_after as ( -- not written where it does not change
    update endpoints e set
      in_flight = e.in_flight + a.leased,
      first_due = case when a.has_left then least(e.first_due, now() + p_sweep_after * interval '1 second')
                       else e.first_due end,
      next_send_at = coalesce(a.next_send_at, e.next_send_at)
    from (
      select p.tenant_id, p.endpoint_id, count(*) filter (where p.leased)::integer as leased,
             max(p.send_at + p.apart) filter (where p.leased) as next_send_at, bool_or(not p.leased) as has_left,
             min(p.first_due) as first_due
      from placed p group by p.tenant_id, p.endpoint_id
    ) a
    where e.tenant_id = a.tenant_id and e.id = a.endpoint_id
      and (a.leased > 0 or a.first_due is null or a.first_due > now() + p_sweep_after * interval '1 second')
  )
  select p.id, p.tenant_id, p.endpoint_id, p_ids[p.n], p_event_names[p.n], p.leased,
         extract(epoch from clock_timestamp())::float8, extract(epoch from p.send_at)::float8,
         t.url, t.payload, t.format, t.credentials_sealed, coalesce(t.is_degraded, false), t.secrets
  from placed p
  left join lateral target_of(case when p.leased then p.tenant_id end, p.endpoint_id, p_event_names[p.n]) t on true;
end $$;
