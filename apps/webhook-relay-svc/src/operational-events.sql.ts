import { laneSql } from '@canvass/outbox';

/** Columns of `outbox` that the rows below fill. */
export const outboxColumns =
  '(lane, event_type, tenant_id, entity, entity_id, form_id, revision, traceparent, data)';

/** A moment as events write it. */
const moment = (expression: string) =>
  `to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** What `returning` of an update of endpoints `e` must give, besides `failing_since`, for an event. */
export const changedEndpoint = 'e.tenant_id, e.id, e.scope, e.scope_id, e.revision';

/**
 * Outbox rows of the changed endpoints in `from`, a common table expression of that update, so that there is
 * an event if and only if there is the change. All but `from` are SQL expressions; `more` are further members
 * of the data.
 */
export const endpointEvent = (
  from: string,
  { type, traceparent, more }: { type: string; traceparent: string; more: string },
) => `
  select ${laneSql('c.id')}, ${type}, c.tenant_id, 'endpoint', c.id, case c.scope when 'form' then c.scope_id end, c.revision,
         ${traceparent}::text,
         json_build_object('id', c.id::text, 'scope', c.scope, 'scopeId', c.scope_id::text,
                           'failingSince', ${moment('c.failing_since')}, ${more})
  from ${from} c`;

/**
 * Outbox rows of those deliveries in `from` that are dead, a common table expression of an update that
 * returns their row and a `traceparent`. The revision is the number of attempts, which grows when a delivery
 * is resent and dies again. The sender of a test reads its result itself; its entity is 0.
 */
export const deadDelivery = (from: string) => `
  select ${laneSql('d.id')}, 'webhook.delivery_dead', d.tenant_id, 'delivery', d.id, d.form_id, d.attempts::bigint, d.traceparent,
         json_build_object('id', d.id::text, 'endpointId', d.endpoint_id::text, 'messageId', d.message_id::text,
                           'eventName', d.event_name, 'entityId', d.entity_id::text, 'formId', d.form_id::text,
                           'attempts', d.attempts, 'lastOutcome', d.last_outcome,
                           'lastStatusCode', d.last_status_code, 'occurredAt', ${moment('d.occurred_at')})
  from ${from} d where d.status = 'dead' and d.entity_id <> 0`;
