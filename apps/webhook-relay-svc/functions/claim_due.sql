-- Leases at most `p_room` due deliveries. Tenants take turns: the walk starts after `p_cursor`, and a tenant gets at most
-- `p_share` minus what it has in flight in this process (`p_tenants`, `p_used`). Within a tenant the endpoints take turns.
-- `p_lead` is the time in seconds until the answer arrives; send slots before it would be missed.
--
-- The floors are times before which the indexes have dead entries only (`find_queue_floors`); they keep the walks short while
-- an old snapshot holds back the vacuum.
--
-- Endpoints are locked in one query, and their deliveries are read in the next one. Each query of a function has a snapshot of
-- its own, so the second one sees all that was committed under those locks. Without `enable_sort` the planner walks the
-- queue indexes, also with statistics of an empty table, for which another index and a sort look as cheap.
create function claim_due(
  p_lease uuid, p_seconds float8, p_room integer, p_share integer, p_tenants bigint[], p_used integer[],
  p_cursor bigint, p_lead float8, p_ready_floor timestamptz, p_scheduled_floor timestamptz)
returns setof claimed_delivery language plpgsql set enable_sort = off set enable_incremental_sort = off as $$
declare
  -- Endpoints that are locked beyond the room of their tenant, because some may have nothing due.
  c_spare constant integer := 8;
  v_tenants bigint[];
  v_ids bigint[];
  v_place tid;
  v_places tid[];
  v_slots timestamptz[];
  v_now timestamptz := clock_timestamp(); -- a variable, so that it is a condition of the index
begin
  -- Endpoints whose time has come are ready: the trigger sees it.
  for v_place in
    select s.ctid from endpoints s
    where not s.is_ready and s.ready_at >= p_scheduled_floor and s.ready_at <= v_now
    order by s.ready_at limit 1000 for no key update skip locked
  loop
    update endpoints set ready_at = ready_at where ctid = v_place;
  end loop;

  v_tenants := next_ready_tenants(
    p_cursor, p_room, p_ready_floor,
    array(select tenant_id from unnest(p_tenants, p_used) u (tenant_id, used) where used >= p_share));
  if cardinality(v_tenants) = 0 then return; end if;

  select array_agg(e.tenant_id), array_agg(e.id) into v_tenants, v_ids
  from unnest(v_tenants) with ordinality t (tenant_id, n)
  left join unnest(p_tenants, p_used) u (tenant_id, used) on u.tenant_id = t.tenant_id
  cross join lateral (
    select e.tenant_id, e.id from endpoints e
    where e.is_ready and e.tenant_id = t.tenant_id and e.ready_at >= p_ready_floor
    order by e.tenant_id, e.ready_at
    limit least(ceil(p_room::float8 / cardinality(v_tenants)), p_share - coalesce(u.used, 0) + c_spare)
    for no key update skip locked) e;
  if v_ids is null then return; end if;

  v_now := clock_timestamp();
  with endpoint as ( -- with the number of deliveries that it may get
    select e.tenant_id, e.id, e.first_due, pick.n, slot.first_slot, slot.apart,
           least(least(e.slots, e.max_in_flight) - e.in_flight, slot.free_slots,
                 ceil(p_room::float8 / cardinality(v_ids)))::integer as quota,
           p_share - coalesce((select u.used from unnest(p_tenants, p_used) u (tenant_id, used)
                               where u.tenant_id = e.tenant_id), 0) as tenant_room
    from unnest(v_tenants, v_ids) with ordinality pick (tenant_id, id, n)
    cross join lateral (
      select * from endpoints e where e.tenant_id = pick.tenant_id and e.id = pick.id limit 1) e
    cross join lateral send_slots(e.max_per_second, e.next_send_at, v_now + p_lead * interval '1 second') slot
  ), first_rows as ( -- and one more, whose due time is the next one of the endpoint
    select e.*, w.place, w.due_at, row_number() over (partition by e.n order by w.due_at, w.id) as rank
    from endpoint e
    cross join lateral (
      select w.ctid as place, w.id, w.due_at from waiting w
      where w.tenant_id = e.tenant_id and w.endpoint_id = e.id and w.lease is null and w.due_at >= e.first_due
      order by w.tenant_id, w.endpoint_id, w.due_at, w.id limit e.quota + 1) w
  ), chosen as (
    select tenant_id, id, n, rank, place, apart, first_slot + (rank - 1) * apart as send_at
    from (select *, row_number() over (partition by tenant_id order by rank, n) as tenant_rank
          from first_rows where rank <= quota and due_at <= v_now) f
    where tenant_rank <= tenant_room
    order by rank, n limit p_room
  ), endpoint_after as (
    update endpoints e set
      in_flight = e.in_flight + a.leased, first_due = a.next_due, ready_at = v_now,
      next_send_at = coalesce(a.next_send_at, e.next_send_at)
    from (
      select endpoint.tenant_id, endpoint.id, count(c.place)::integer as leased,
             max(c.send_at + c.apart) as next_send_at,
             min(f.due_at) filter (where c.place is null) as next_due
      from endpoint
      left join first_rows f on f.n = endpoint.n
      left join chosen c on c.n = f.n and c.rank = f.rank
      group by endpoint.tenant_id, endpoint.id
    ) a
    where e.tenant_id = a.tenant_id and e.id = a.id and (a.leased > 0 or a.next_due is distinct from e.first_due)
  )
  select array_agg(tenant_id order by rank, n), array_agg(place order by rank, n),
         array_agg(send_at order by rank, n)
  into v_tenants, v_places, v_slots from chosen;
  return query select * from lease_waiting(p_lease, p_seconds, v_tenants, v_places, v_slots);
end $$;
