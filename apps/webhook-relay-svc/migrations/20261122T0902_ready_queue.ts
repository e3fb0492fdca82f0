import type { Migration } from '@canvass/postgres';

/**
 * The queue of endpoints that have something due. The trigger derives `is_ready` and `ready_at` from the
 * other columns of the row, so no statement can forget them: an endpoint is ready if it has a due delivery,
 * a free slot and a send slot, its circuit is closed, and it is neither disabled nor removed. A claim takes
 * endpoints from that queue, so its cost depends on what it claims, and not on how many endpoints or
 * deliveries wait.
 *
 * A claim locks endpoints in its first query and reads deliveries in the next one. Each query of a function
 * has a snapshot of its own, so the second one sees everything that was committed under those locks.
 */
export const readyQueue: Migration = {
  name: '20261122T0902_ready_queue',
  async up(knex) {
    for (const sql of [
      readiness,
      sendSlots,
      deliveryTarget,
      leaseWaiting,
      claimDue,
      claimByIds,
      cancelRemoved,
    ])
      await knex.raw(sql);
  },
  async down(knex) {
    await knex.raw(`
      drop trigger endpoint_readiness on endpoints;
      drop function cancel_removed, claim_by_ids, claim_due, lease_waiting, delivery_target, send_slots,
        keep_endpoint_readiness;
      drop type claimed_delivery`);
  },
};

/** An endpoint keeps its place while it stays ready, unless a claim moves it to the end of the line. */
const readiness = `
  create function keep_endpoint_readiness() returns trigger language plpgsql as $$
  declare
    v_now timestamptz := clock_timestamp();
    v_ready_at timestamptz;
  begin
    if new.first_due is not null and new.disabled_at is null and new.removed_at is null
       and new.in_flight < least(new.slots, new.max_in_flight) then
      v_ready_at := greatest(new.first_due, new.resume_at);
      if new.max_per_second is not null and new.next_send_at is not null then
        v_ready_at := greatest(v_ready_at, least(new.next_send_at, v_now + interval '5 seconds') - interval '1 second');
      end if;
    end if;
    if v_ready_at <= v_now then
      if tg_op = 'INSERT' or not old.is_ready then new.ready_at := v_now; end if;
      new.is_ready := true;
    else
      new.ready_at := v_ready_at;
      new.is_ready := false;
    end if;
    return new;
  end $$;
  create trigger endpoint_readiness before insert or update on endpoints
    for each row execute function keep_endpoint_readiness()`;

/**
 * The first free send slot of an endpoint, the time between slots, and how many lie within a second. Five
 * per cent more time than the rate needs, so that slots used up to 50 ms late never exceed the rate plus
 * one in any second. At most five seconds ahead, so that a database whose clock runs backwards does not
 * stop an endpoint for longer.
 */
const sendSlots = `
  create function send_slots(max_per_second integer, next_send_at timestamptz, soonest timestamptz)
  returns table (first_slot timestamptz, apart interval, free_slots integer) language sql stable as $$
    select first_slot, apart,
           case when apart is null then 2147483647
                else greatest(0, 1 + floor(extract(epoch from $3 + interval '1 second' - first_slot)
                                           / extract(epoch from apart)))::integer end
    from (select case when $1 is not null then least(greatest($3, $2), $3 + interval '5 seconds') end as first_slot,
                 interval '1.05 seconds' / $1 as apart) slot
  $$`;

/**
 * Where deliveries of an event go now: no row if the current settings do not send the event to the
 * endpoint.
 */
const deliveryTarget = `
  create function delivery_target(p_tenant_id bigint, p_endpoint_id bigint, p_event_name text)
  returns table (url text, auth_header text, api_key_sealed text, is_degraded boolean, secrets text[])
  language sql stable as $$
    select t.url, t.auth_header, t.api_key_sealed, e.is_degraded,
           array(select s.sealed from endpoint_secrets s
                 where s.tenant_id = p_tenant_id and s.endpoint_id = p_endpoint_id
                   and (s.expires_at is null or s.expires_at > now())
                 order by s.id desc)
    from (select e.scope, e.scope_id, e.failures > 0 or e.slots < e.max_in_flight or e.reported_failing as is_degraded
          from endpoints e where e.tenant_id = p_tenant_id and e.id = p_endpoint_id limit 1) e
    cross join lateral (
      select c.version from settings_current c
      where c.tenant_id = p_tenant_id and c.scope = e.scope and c.scope_id = e.scope_id limit 1) c
    cross join lateral (
      select * from settings_targets t
      where t.tenant_id = p_tenant_id and t.scope = e.scope and t.scope_id = e.scope_id and t.version = c.version
        and t.event_name = p_event_name and t.endpoint_id = p_endpoint_id limit 1) t
  $$`;

/** The bytes of a body up to which claims return it; a larger one is read when it is sent. */
export const smallBody = 65_536;

/**
 * Leases deliveries of endpoints that the caller has locked, and returns them with all that a send needs. It
 * gets the places of the rows, which cannot change under those locks: a join by id is planned as a loop over
 * all pairs if the planner expects a single row.
 */
export const leaseWaiting = `
  create type claimed_delivery as (
    id bigint, tenant_id bigint, endpoint_id bigint, message_id bigint, event_name text, attempts integer,
    schedule_step integer, claimed_at float8, send_at float8, entity text, action text, traceparent text, bytes integer,
    body bytea, url text, auth_header text, api_key_sealed text, is_degraded boolean, secrets text[]);
  create function lease_waiting(p_lease uuid, p_seconds float8, p_tenants bigint[], p_places tid[], p_slots timestamptz[])
  returns setof claimed_delivery language plpgsql as $$
  begin
    return query
      with leased as (
        update waiting w set lease = p_lease, lease_until = clock_timestamp() + p_seconds * interval '1 second'
        from unnest(p_tenants, p_places, p_slots) as c (tenant_id, place, send_at)
        where w.ctid = c.place and w.tenant_id = c.tenant_id
        returning w.*, c.send_at
      )
      select l.id, l.tenant_id, l.endpoint_id, l.message_id, l.event_name, l.attempts, l.schedule_step,
             extract(epoch from clock_timestamp())::float8, extract(epoch from l.send_at)::float8,
             m.entity, m.action, m.traceparent, octet_length(m.body),
             case when octet_length(m.body) <= ${smallBody} then m.body end,
             t.url, t.auth_header, t.api_key_sealed, coalesce(t.is_degraded, false), t.secrets
      from leased l
      left join lateral (
        select * from messages m where m.tenant_id = l.tenant_id and m.id = l.message_id limit 1) m on true
      left join lateral delivery_target(l.tenant_id, l.endpoint_id, l.event_name) t on true;
  end $$`;

/**
 * With the statistics of an empty table another index and a sort look as cheap as the queue index, which
 * has the order already. That index has every delivery of the tenant, and the entries of all those that
 * ended.
 */
export const byOrderOfIndex = 'set enable_sort = off set enable_incremental_sort = off';

/**
 * Leases at most \`p_room\` due deliveries. Tenants take turns: the walk starts after \`p_cursor\`, and a
 * tenant gets at most \`p_share\` minus what it has in flight in this process. Within a tenant the
 * endpoints take turns. The floors are times before which the indexes have dead entries only; they keep the
 * walks short while an old snapshot holds back the vacuum.
 */
export const claimDue = `
  create function claim_due(
    p_lease uuid, p_seconds float8, p_room integer, p_share integer, p_tenants bigint[], p_used integer[],
    p_cursor bigint, p_lead float8, p_ready_floor timestamptz, p_scheduled_floor timestamptz)
  returns setof claimed_delivery language plpgsql ${byOrderOfIndex} as $$
  declare
    v_full bigint[] := array(select tenant_id from unnest(p_tenants, p_used) u (tenant_id, used) where used >= p_share);
    v_tenants bigint[] := '{}';
    v_tenant bigint := p_cursor;
    v_wrapped boolean := false;
    v_ids bigint[];
    v_places tid[];
    v_slots timestamptz[];
    v_now timestamptz := clock_timestamp(); -- a variable, so that it is a condition of the index
  begin
    update endpoints e set ready_at = e.ready_at
    from (select s.tenant_id, s.id from endpoints s
          where not s.is_ready and s.ready_at >= p_scheduled_floor and s.ready_at <= v_now
          order by s.ready_at limit 1000 for no key update skip locked) due
    where e.tenant_id = due.tenant_id and e.id = due.id;

    while cardinality(v_tenants) < p_room loop
      select e.tenant_id into v_tenant from endpoints e
      where e.is_ready and e.tenant_id > v_tenant and e.ready_at >= p_ready_floor and e.tenant_id <> all (v_full)
      order by e.tenant_id, e.ready_at limit 1;
      if v_tenant is null then
        exit when v_wrapped;
        v_wrapped := true;
        v_tenant := -1;
      else
        exit when v_wrapped and v_tenant > p_cursor;
        v_tenants := v_tenants || v_tenant;
      end if;
    end loop;
    if cardinality(v_tenants) = 0 then return; end if;

    select array_agg(e.tenant_id), array_agg(e.id) into v_tenants, v_ids
    from unnest(v_tenants) with ordinality t (tenant_id, n)
    cross join lateral (
      select e.tenant_id, e.id from endpoints e
      where e.is_ready and e.tenant_id = t.tenant_id and e.ready_at >= p_ready_floor
      order by e.tenant_id, e.ready_at
      limit ceil(p_room::float8 / cardinality(v_tenants))
      for no key update skip locked) e;
    if v_ids is null then return; end if;

    v_now := clock_timestamp();
    with endpoint as materialized (
      select e.tenant_id, e.id, e.first_due, pick.n, slot.first_slot, slot.apart,
             least(least(e.slots, e.max_in_flight) - e.in_flight, slot.free_slots,
                   ceil(p_room::float8 / cardinality(v_ids)))::integer as quota,
             p_share - coalesce((select u.used from unnest(p_tenants, p_used) u (tenant_id, used)
                                 where u.tenant_id = e.tenant_id), 0) as tenant_room
      from unnest(v_tenants, v_ids) with ordinality pick (tenant_id, id, n)
      cross join lateral (
        select * from endpoints e where e.tenant_id = pick.tenant_id and e.id = pick.id limit 1) e
      cross join lateral send_slots(e.max_per_second, e.next_send_at, v_now + p_lead * interval '1 second') slot
    ), first_rows as materialized (
      select e.*, w.place, w.due_at,
             row_number() over (partition by e.n order by w.due_at, w.id) as rank
      from endpoint e
      cross join lateral (
        select w.ctid as place, w.id, w.due_at from waiting w
        where w.tenant_id = e.tenant_id and w.endpoint_id = e.id and w.lease is null and w.due_at >= e.first_due
        order by w.tenant_id, w.endpoint_id, w.due_at, w.id limit e.quota + 1) w
    ), chosen as materialized (
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
      where e.tenant_id = a.tenant_id and e.id = a.id
    )
    select array_agg(tenant_id order by rank, n), array_agg(place order by rank, n),
           array_agg(send_at order by rank, n)
    into v_tenants, v_places, v_slots from chosen;
    return query select * from lease_waiting(p_lease, p_seconds, v_tenants, v_places, v_slots);
  end $$`;

/**
 * Leases these deliveries as far as their endpoints have free slots, in the order of the arrays. One that
 * was not tried may be claimed before it is due, since its due time is when sweeps stop leaving it to its
 * job. The others that were not tried become due now.
 */
const claimByIds = `
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
    with job as materialized (
      select * from unnest(p_tenants, p_endpoints, p_ids) with ordinality j (tenant_id, endpoint_id, id, n)
    ), endpoint as materialized (
      select e.tenant_id, e.id, e.first_due, slot.first_slot, slot.apart,
             case when e.disabled_at is not null or e.removed_at is not null or e.resume_at > v_now then 0
                  else least(least(e.slots, e.max_in_flight) - e.in_flight, slot.free_slots) end as free
      from (select distinct tenant_id, endpoint_id from job) j
      cross join lateral (
        select * from endpoints e where e.tenant_id = j.tenant_id and e.id = j.endpoint_id limit 1) e
      cross join lateral send_slots(e.max_per_second, e.next_send_at, v_now + p_lead * interval '1 second') slot
    ), candidate as materialized (
      select j.n, w.place, w.tenant_id, w.endpoint_id, w.due_at, w.schedule_step, e.first_slot, e.apart, e.free,
             row_number() over (partition by w.tenant_id, w.endpoint_id order by j.n) as rank
      from job j
      cross join lateral (
        select w.*, w.ctid as place from waiting w where w.tenant_id = j.tenant_id and w.id = j.id limit 1) w
      join endpoint e on e.tenant_id = w.tenant_id and e.id = w.endpoint_id
      where w.lease is null and (w.due_at <= v_now or w.schedule_step = 0)
    ), chosen as materialized (
      select *, first_slot + (rank - 1) * apart as send_at from candidate
      where rank <= free order by n limit p_room
    ), postponed as (
      update waiting w set due_at = v_now
      from candidate c
      where c.n not in (select n from chosen) and w.ctid = c.place and w.tenant_id = c.tenant_id and c.due_at > v_now
      returning w.tenant_id, w.endpoint_id
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
  end $$`;

/**
 * Cancels at most \`p_rows\` waiting deliveries of one endpoint that was removed from the settings.
 *
 * Returns how many, or null if no removed endpoint has any.
 */
export const cancelRemoved = `
  create function cancel_removed(p_rows integer) returns integer language plpgsql ${byOrderOfIndex} as $$
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
      select w.id from waiting w
      where w.tenant_id = v_endpoint.tenant_id and w.endpoint_id = v_endpoint.id and w.lease is null
        and w.due_at >= v_endpoint.first_due
      order by w.tenant_id, w.endpoint_id, w.due_at, w.id limit p_rows
    ), cancelled as (
      delete from waiting w using step where w.tenant_id = v_endpoint.tenant_id and w.id = step.id returning w.*
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
  end $$`;
