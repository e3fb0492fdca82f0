import { statement } from '@canvass/postgres';

/**
 * The message and one delivery per endpoint that the given settings send this event to; nothing where there is none, or
 * where the message is there already, because the event was delivered again.
 *
 * $1 event id, $2 tenant, $3 event name, $4 entity, $5 action, $6 body, $7 traceparent, $8 occurred at,
 * $9 entity id, $10 form id, $11 settings scope, $12 scope id, $13 version, $14 seconds until the sweepers may take it
 */
export const fanOutMessage = statement(
  'fan_out_message',
  `with target as (
     select endpoint_id from settings_targets
     where tenant_id = $2 and scope = $11 and scope_id = $12 and version = $13 and event_name = $3 and is_enabled
   ), message as (
     insert into messages (id, tenant_id, event_name, entity, action, body, traceparent, occurred_at)
     select $1, $2, $3, $4, $5, $6, $7, $8 where exists (select from target)
     on conflict (id) do nothing
     returning id, tenant_id, event_name, occurred_at
   )
   insert into deliveries (tenant_id, message_id, endpoint_id, event_name, entity_id, form_id, occurred_at,
                           next_attempt_at)
   select m.tenant_id, m.id, target.endpoint_id, m.event_name, $9, $10, m.occurred_at,
          now() + $14 * interval '1 second'
   from message m cross join target
   returning id`,
);
