import type { EventEnvelope, SettingsRef, WebhookEventKind } from '@canvass/contracts';
import { statement, unnestUnseen } from '@canvass/postgres';
import type { LeasedRow, LeaseParams, TargetRow } from './claim.sql';

/** A delivery that was made. If it was leased, its target is there. */
export type MadeRow = TargetRow &
  Pick<LeasedRow, 'id' | 'tenantId' | 'endpointId' | 'messageId' | 'eventName' | 'claimedAt' | 'sendAt'> & {
    leased: boolean;
  };

/** The head of an event that webhooks carry, its settings, and the bytes of its message. */
export interface WebhookEvent {
  envelope: Omit<EventEnvelope, 'data'>;
  kind: WebhookEventKind;
  settings: SettingsRef;
  /** In pieces, which are joined when they are written. */
  body: Buffer[];
}

export const sizeOf = (body: readonly Buffer[]) => body.reduce((sum, { length }) => sum + length, 0);

/** Events, one entry of each array for each. The bodies are one after the other. */
export const eventColumns = (events: readonly WebhookEvent[]) => ({
  ids: events.map(({ envelope }) => envelope.id),
  tenantIds: events.map(({ envelope }) => envelope.tenantId),
  eventNames: events.map(({ kind }) => kind.eventName),
  entities: events.map(({ kind }) => kind.entity),
  actions: events.map(({ kind }) => kind.action),
  bodies: Buffer.concat(events.flatMap(({ body }) => body)),
  sizes: events.map(({ body }) => sizeOf(body)),
  traceparents: events.map(({ envelope }) => envelope.traceparent),
  occurredAt: events.map(({ envelope }) => envelope.occurredAt),
  entityIds: events.map(({ envelope }) => envelope.entityId),
  formIds: events.map(({ envelope }) => envelope.formId),
  scopes: events.map(({ settings }) => settings.scope),
  scopeIds: events.map(({ settings }) => settings.scopeId),
  versions: events.map(({ settings }) => settings.version),
});

/** Sweeps leave the deliveries to their jobs for `sweepAfterSeconds`. */
type FanOutParams = ReturnType<typeof eventColumns> & LeaseParams & { sweepAfterSeconds: number };

/**
 * Makes for each event its message and one delivery per endpoint of its settings. An event without
 * endpoints, whose message exists because it was delivered again, or whose submission was erased since, makes
 * nothing.
 *
 * Deliveries that may start at once are leased by the same statement, so no second commit stands between an
 * event and its first attempt: as many as their endpoint has free slots and send slots, unless others of the
 * endpoint are due already, up to the room of the process and the share of the tenant.
 *
 * Messages are inserted and endpoints locked in one order everywhere, so there is no deadlock. An endpoint
 * that does not change is not written. Its locked row decides that: the row of the snapshot may be older.
 */
export const fanOutMessages = statement<FanOutParams, MadeRow>(
  'fan_out_messages',
  `with event as materialized (
     select e.*, (sum(size) over (order by n) - size)::integer as start
     from ${unnestUnseen(`$ids::bigint[], $tenantIds::bigint[], $eventNames::text[], $entities::text[], $actions::text[],
                 $sizes::integer[], $traceparents::text[], $occurredAt::timestamptz[], $entityIds::bigint[],
                 $formIds::bigint[], $scopes::text[], $scopeIds::bigint[], $versions::bigint[]`)} with ordinality
       as e (id, tenant_id, event_name, entity, action, size, traceparent, occurred_at, entity_id, form_id, scope,
             scope_id, version, n)
   ), target as materialized (
     select e.n, e.id as message_id, e.tenant_id, t.endpoint_id, e.event_name, e.entity_id, e.form_id, e.occurred_at
     from event e
     cross join lateral (
       select t.endpoint_id from settings_targets t
       where t.tenant_id = e.tenant_id and t.scope = e.scope and t.scope_id = e.scope_id and t.version = e.version
         and t.event_name = e.event_name and t.is_enabled offset 0) t
     where e.action = 'deleted' or not exists (
       select from erasures x where x.tenant_id = e.tenant_id and x.entity_id = e.entity_id and x.event_id > e.id)
   ), message as (
     insert into messages (tenant_id, id, event_name, entity, action, body, traceparent, occurred_at)
     select tenant_id, id, event_name, entity, action, substring($bodies::bytea from start + 1 for size), traceparent,
            occurred_at
     from event where n in (select n from target)
     order by tenant_id, id
     on conflict (tenant_id, id) do nothing
     returning id
   ), made as materialized (
     select next_id() as id, t.* from target t where t.message_id in (select id from message)
   ), locked as materialized (
     select e.* from endpoints e
     where (e.tenant_id, e.id) in (select tenant_id, endpoint_id from made)
     order by e.tenant_id, e.id for no key update of e
   ), endpoint as materialized (
     select e.tenant_id, e.id, e.first_due as was_first_due, slot.first_slot, slot.apart,
            case when e.disabled_at is not null or e.removed_at is not null or e.resume_at > clock_timestamp()
                   or e.first_due <= clock_timestamp() then 0
                 else least(least(e.slots, e.max_in_flight) - e.in_flight, slot.free_slots) end as free,
            $share::integer - coalesce((select u.used from ${unnestUnseen('$tenants::bigint[], $used::integer[]')} u (tenant_id, used)
                                     where u.tenant_id = e.tenant_id), 0) as tenant_room
     from locked e
     cross join lateral (
       select clock_timestamp() + $leadSeconds::float8 * interval '1 second' as soonest offset 0) now
     cross join lateral send_slots(e.max_per_second, e.next_send_at, now.soonest) slot
   ), ranked as (
     select m.*, e.was_first_due, e.first_slot, e.apart, e.tenant_room,
            row_number() over (partition by m.tenant_id, m.endpoint_id order by m.id) as rank, e.free
     from made m join endpoint e on e.tenant_id = m.tenant_id and e.id = m.endpoint_id
   ), within_tenant as (
     select *, rank <= free
              and row_number() over (partition by tenant_id, rank <= free order by rank, id) <= tenant_room as may_start
     from ranked
   ), placed as materialized (
     select *, first_slot + (rank - 1) * apart as send_at, first_slot + rank * apart as next_send_at,
            may_start and row_number() over (partition by may_start order by rank, id) <= $room::integer as leased
     from within_tenant
   ), inserted as (
     insert into waiting (tenant_id, id, endpoint_id, message_id, event_name, entity_id, form_id, occurred_at, due_at,
                          lease, lease_until)
     select tenant_id, id, endpoint_id, message_id, event_name, entity_id, form_id, occurred_at,
            now() + $sweepAfterSeconds::float8 * interval '1 second',
            case when leased then $lease::uuid end,
            case when leased then clock_timestamp() + $seconds::float8 * interval '1 second' end
     from placed
     returning tenant_id, endpoint_id, due_at, lease
   ), endpoint_after as (
     update endpoints e set
       in_flight = e.in_flight + s.leased,
       first_due = least(e.first_due, s.first_due),
       next_send_at = coalesce(s.next_send_at, e.next_send_at)
     from (
       select p.tenant_id, p.endpoint_id, count(*) filter (where p.leased)::integer as leased,
              max(p.next_send_at) filter (where p.leased) as next_send_at, min(p.was_first_due) as was_first_due,
              case when bool_or(not p.leased) then now() + $sweepAfterSeconds::float8 * interval '1 second' end as first_due
       from placed p group by p.tenant_id, p.endpoint_id
     ) s
     where e.tenant_id = s.tenant_id and e.id = s.endpoint_id
       and (s.leased > 0 or least(s.was_first_due, s.first_due) is distinct from s.was_first_due)
   )
   select p.id, p.tenant_id as "tenantId", p.endpoint_id as "endpointId", p.message_id as "messageId",
          p.event_name as "eventName", p.leased, extract(epoch from clock_timestamp())::float8 as "claimedAt",
          extract(epoch from p.send_at)::float8 as "sendAt", t.url, t.auth_header as "authHeader",
          t.api_key_sealed as "apiKeySealed", coalesce(t.is_degraded, false) as "isDegraded", t.secrets
   from placed p
   left join lateral delivery_target(p.tenant_id, p.endpoint_id, p.event_name) t on p.leased`,
);
