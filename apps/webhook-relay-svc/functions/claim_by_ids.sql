-- Leases these deliveries as far as their endpoints have free slots, in the order of the arrays. One that was not tried may be
-- claimed before it is due, since its due time is when sweeps stop leaving it to its job. The others that were not tried
-- become due now.
create function claim_by_ids(
  p_lease uuid, p_seconds float8, p_room integer, p_tenants bigint[], p_endpoints bigint[], p_ids bigint[], p_lead float8)
returns setof claimed_delivery language plpgsql as $$
declare
  v_now timestamptz;
  v_tenants bigint[];
  v_places tid[];
  v_slots timestamptz[];
begin
  perform from endpoints e
  where (e.tenant_id, e.id) in (select * from unnest(p_tenants, p_endpoints))
  order by e.tenant_id, e.id for no key update;

  v_now := clock_timestamp();
  with job as (
    select * from unnest(p_tenants, p_endpoints, p_ids) with ordinality j (tenant_id, endpoint_id, id, n)
  ), endpoint as materialized (
    select e.tenant_id, e.id, slot.first_slot, slot.apart,
           case when e.disabled_at is not null or e.removed_at is not null or e.resume_at > v_now then 0
                else least(least(e.slots, e.max_in_flight) - e.in_flight, slot.free_slots) end as free
    from (select distinct tenant_id, endpoint_id from job) j
    cross join lateral (
      select * from endpoints e where e.tenant_id = j.tenant_id and e.id = j.endpoint_id limit 1) e
    cross join lateral send_slots(e.max_per_second, e.next_send_at, v_now + p_lead * interval '1 second') slot
  ), candidate as (
    select j.n, w.place, w.tenant_id, w.endpoint_id, w.due_at, e.first_slot, e.apart, e.free,
           row_number() over (partition by w.tenant_id, w.endpoint_id order by j.n) as rank
    from job j
    cross join lateral (
      select w.*, w.ctid as place from waiting w where w.tenant_id = j.tenant_id and w.id = j.id limit 1) w
    join endpoint e on e.tenant_id = w.tenant_id and e.id = w.endpoint_id
    where w.lease is null and (w.due_at <= v_now or w.schedule_step = 0)
  ), chosen as (
    select *, first_slot + (rank - 1) * apart as send_at from candidate
    where rank <= free order by n limit p_room
  ), postponed as (
    update waiting w set due_at = v_now
    from candidate c
    where c.n not in (select n from chosen) and w.ctid = c.place and w.tenant_id = c.tenant_id and c.due_at > v_now
  ), endpoint_after as (
    update endpoints e set
      in_flight = e.in_flight + a.leased, next_send_at = coalesce(a.next_send_at, e.next_send_at),
      first_due = case when a.left_due then least(e.first_due, v_now) else e.first_due end
    from (
      select c.tenant_id, c.endpoint_id, count(chosen.n)::integer as leased,
             max(chosen.send_at + chosen.apart) as next_send_at, bool_or(chosen.n is null) as left_due
      from candidate c left join chosen on chosen.n = c.n group by c.tenant_id, c.endpoint_id
    ) a
    where e.tenant_id = a.tenant_id and e.id = a.endpoint_id
  )
  select array_agg(tenant_id order by n), array_agg(place order by n), array_agg(send_at order by n)
  into v_tenants, v_places, v_slots from chosen;
  return query select * from lease_waiting(p_lease, p_seconds, v_tenants, v_places, v_slots);
end $$;
