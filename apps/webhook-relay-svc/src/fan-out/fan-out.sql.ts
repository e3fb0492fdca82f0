import { positionalStatement } from '@canvass/postgres';
import {
  chosenColumns,
  claimedAt,
  freeSlots,
  freeTurns,
  joinTurns,
  roomColumns,
  sendAt,
  sendColumns,
  sendJoins,
  takeTurns,
  type SendRow,
} from '../delivery';

/** A delivery that was made. The columns of a send are there if it was leased, in the same commit. */
export type MadeRow = { id: string; message_id: string; claimed_at: number; send_at: number | null } & (
  ({ leased: true } & SendRow) | { leased: false }
);

/**
 * For each event its message and one delivery per endpoint that its settings send it to; nothing where there
 * is none, or where the message is there already, because the event was delivered again. As many deliveries
 * as may start at once, which is one by one as the slots of their endpoints and $17 allow, are leased by the
 * same statement: no second commit stands between an event and its first attempt. Rows are written in one
 * order everywhere: no deadlocks.
 *
 * $1 event ids, $2 tenants, $3 event names, $4 entities, $5 actions, $6 bodies, $7 traceparents, $8 occurred
 * at, $9 entity ids, $10 form ids, $11 settings scopes, $12 scope ids, $13 versions: arrays with one entry
 * per event $14 seconds until the sweepers may take them, $15 token, $16 lease seconds, $17 most leases, $18
 * and $19 lead and horizon of turns
 */
export const fanOutMessages = positionalStatement(
  'fan_out_messages',
  `with event as materialized (
     select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bytea[], $7::text[],
                          $8::timestamptz[], $9::bigint[], $10::bigint[], $11::text[], $12::bigint[], $13::bigint[])
       as e (id, tenant_id, event_name, entity, action, body, traceparent, occurred_at, entity_id, form_id,
             scope, scope_id, version)
   ), target as materialized (
     select e.id as message_id, e.tenant_id, t.endpoint_id
     from event e
     join settings_targets t on t.tenant_id = e.tenant_id and t.scope = e.scope and t.scope_id = e.scope_id
       and t.version = e.version and t.event_name = e.event_name
     where t.is_enabled
   ), message as (
     insert into messages (id, tenant_id, event_name, entity, action, body, traceparent, occurred_at)
     select id, tenant_id, event_name, entity, action, body, traceparent, occurred_at
     from event where id in (select message_id from target)
     order by id
     on conflict (id) do nothing
     returning id
   ), delivery as (
     insert into deliveries (tenant_id, message_id, endpoint_id, event_name, entity_id, form_id, occurred_at,
                             next_attempt_at)
     select e.tenant_id, e.id, target.endpoint_id, e.event_name, e.entity_id, e.form_id, e.occurred_at,
            now() + $14 * interval '1 second'
     from message join event e on e.id = message.id join target on target.message_id = e.id
     returning id, tenant_id, endpoint_id, message_id, event_name
   ), ${freeTurns('select tenant_id, endpoint_id from target where $17::integer > 0', { lead: '$18', horizon: '$19' })},
   room as materialized (
     select ${roomColumns(freeSlots)}
     from endpoints e ${joinTurns}
     where $17::integer > 0 and (e.tenant_id, e.id) in (select tenant_id, endpoint_id from target)
       and e.disabled_at is null
   ), ranked as (
     select *, row_number() over (partition by tenant_id, endpoint_id order by id) as rank from delivery
   ), chosen as materialized (
     select ${chosenColumns} from ranked join room using (tenant_id, endpoint_id)
     where rank <= cardinality(room.free)
     order by rank, id limit $17::integer
   ), leased as (
     insert into leases (tenant_id, endpoint_id, slot, delivery_id, token, lease_until)
     select tenant_id, endpoint_id, slot, id, $15::uuid, now() + $16 * interval '1 second' from chosen
     order by tenant_id, endpoint_id, slot
     on conflict do nothing
     returning delivery_id
   ), ${takeTurns}, turn as materialized (
     select id as delivery_id, ${sendAt} from chosen where send_at is not null
   )
   select d.id, d.message_id, leased.delivery_id is not null as leased, turn.send_at, ${claimedAt}, send.*
   from delivery d
   full join leased on leased.delivery_id = d.id -- left joins, but never a loop in a loop
   full join turn on turn.delivery_id = d.id
   left join lateral (
     select ${sendColumns} from (select d.*) c ${sendJoins} where leased.delivery_id is not null
   ) send on true`,
);
