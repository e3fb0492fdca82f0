import type { Migration } from '@canvass/postgres';
import {
  byOrderOfIndex,
  cancelRemoved,
  claimDue,
  leaseWaiting,
  smallBody,
} from './20261122T0902_ready_queue';

/**
 * Claims and removals that cost no more than what they change. If a table is analyzed while it is empty, the
 * planner expects one row; a claim then read all rows instead of the places that it had found, and a step of
 * a removal all those of the tenant. And a claim locked as many endpoints as the process had room for, also
 * if their tenant had none.
 */
export const leaseByPlace: Migration = {
  name: '20261122T1600_lease_by_place',
  async up(knex) {
    for (const sql of [leasePlaces, leaseWaitingByPlace, claimWithinShare, cancelByPlace])
      await knex.raw(sql);
  },
  async down(knex) {
    for (const sql of [leaseWaiting.replace(/create type[^;]*;/, ''), claimDue, cancelRemoved])
      await knex.raw(sql.replace('create function', 'create or replace function'));
    await knex.raw('drop function lease_places');
  },
};

/** Leases rows by their places, which cannot change under the locks of their endpoints. By no other plan. */
const leasePlaces = `
  create function lease_places(p_lease uuid, p_seconds float8, p_tenants bigint[], p_places tid[], p_slots timestamptz[])
  returns table (delivery waiting, send_at timestamptz) language plpgsql
  set enable_indexscan = off set enable_bitmapscan = off set enable_seqscan = off as $$
  begin
    return query
      update waiting w set lease = p_lease, lease_until = clock_timestamp() + p_seconds * interval '1 second'
      from unnest(p_tenants, p_places, p_slots) as c (tenant_id, place, send_at)
      where w.ctid = c.place and w.tenant_id = c.tenant_id
      returning w, c.send_at;
  end $$`;

/** Leases deliveries of endpoints that the caller has locked, and returns them with all that a send needs. */
const leaseWaitingByPlace = `
  create or replace function lease_waiting(
    p_lease uuid, p_seconds float8, p_tenants bigint[], p_places tid[], p_slots timestamptz[])
  returns setof claimed_delivery language plpgsql as $$
  begin
    return query
      select l.id, l.tenant_id, l.endpoint_id, l.message_id, l.event_name, l.attempts, l.schedule_step,
             extract(epoch from clock_timestamp())::float8, extract(epoch from leased.send_at)::float8,
             m.entity, m.action, m.traceparent, octet_length(m.body),
             case when octet_length(m.body) <= ${smallBody} then m.body end,
             t.url, t.auth_header, t.api_key_sealed, coalesce(t.is_degraded, false), t.secrets
      from lease_places(p_lease, p_seconds, p_tenants, p_places, p_slots) leased
      cross join lateral (select (leased.delivery).*) l
      left join lateral (
        select * from messages m where m.tenant_id = l.tenant_id and m.id = l.message_id limit 1) m on true
      left join lateral delivery_target(l.tenant_id, l.endpoint_id, l.event_name) t on true;
  end $$`;

/** Endpoints that a claim looks at beyond the room of their tenant, because some may have nothing due. */
const spare = 8;

/**
 * Leases at most \`p_room\` due deliveries. Tenants take turns: the walk starts after \`p_cursor\`, and a
 * tenant gets at most \`p_share\` minus what it has in flight in this process. Within a tenant the
 * endpoints take turns. The floors are times before which the indexes have dead entries only; they keep the
 * walks short while an old snapshot holds back the vacuum.
 */
const claimWithinShare = `
  create or replace function claim_due(
    p_lease uuid, p_seconds float8, p_room integer, p_share integer, p_tenants bigint[], p_used integer[],
    p_cursor bigint, p_lead float8, p_ready_floor timestamptz, p_scheduled_floor timestamptz)
  returns setof claimed_delivery language plpgsql ${byOrderOfIndex} as $$
  declare
    v_full bigint[] := array(select tenant_id from unnest(p_tenants, p_used) u (tenant_id, used) where used >= p_share);
    v_tenants bigint[] := '{}';
    v_tenant bigint := p_cursor;
    v_wrapped boolean := false;
    v_ids bigint[];
    v_place tid;
    v_places tid[];
    v_slots timestamptz[];
    v_now timestamptz := clock_timestamp(); -- a variable, so that it is a condition of the index
  begin
    for v_place in
      select s.ctid from endpoints s
      where not s.is_ready and s.ready_at >= p_scheduled_floor and s.ready_at <= v_now
      order by s.ready_at limit 1000 for no key update skip locked
    loop
      update endpoints set ready_at = ready_at where ctid = v_place;
    end loop;

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
    left join unnest(p_tenants, p_used) u (tenant_id, used) on u.tenant_id = t.tenant_id
    cross join lateral (
      select e.tenant_id, e.id from endpoints e
      where e.is_ready and e.tenant_id = t.tenant_id and e.ready_at >= p_ready_floor
      order by e.tenant_id, e.ready_at
      limit least(ceil(p_room::float8 / cardinality(v_tenants)), p_share - coalesce(u.used, 0) + ${spare})
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
      where e.tenant_id = a.tenant_id and e.id = a.id and (a.leased > 0 or a.next_due is distinct from e.first_due)
    )
    select array_agg(tenant_id order by rank, n), array_agg(place order by rank, n),
           array_agg(send_at order by rank, n)
    into v_tenants, v_places, v_slots from chosen;
    return query select * from lease_waiting(p_lease, p_seconds, v_tenants, v_places, v_slots);
  end $$`;

/**
 * Cancels at most \`p_rows\` waiting deliveries of one endpoint that was removed from the settings.
 *
 * Returns how many, or null if no removed endpoint has any.
 */
const cancelByPlace = `
  create or replace function cancel_removed(p_rows integer) returns integer language plpgsql ${byOrderOfIndex} as $$
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
  end $$`;
