import Joi from 'joi';
import { eventDataSchemas, eventTypes, settingsRefSchema } from './event-schemas';
import { eventEntityOf, type EventEnvelope, type EventType, type SettingsRef } from './events';
import { exactObject } from './exact-object';
import { wireDate, wireId } from './wire-types';

const id = Joi.string().pattern(/^[0-9]{1,19}$/);

/**
 * The part of every envelope that consumers rely on. The consumer of an event checks `data`. Unknown members
 * are allowed, because producers may be newer than consumers. Published messages follow the stricter
 * `eventMessageSchemas`.
 */
export const eventEnvelopeSchema = Joi.object<EventEnvelope>({
  id: id.required(),
  type: Joi.string()
    .pattern(/^[a-z]+\.[a-z_]+$/)
    .required(),
  schemaVersion: Joi.number().valid(1).required(),
  tenantId: id.required(),
  entity: Joi.string().required(),
  entityId: id.required(),
  formId: id.allow(null).required(),
  revision: id.required(),
  occurredAt: Joi.string().isoDate().required(),
  settings: Joi.object<SettingsRef>({
    scope: Joi.valid('form', 'tenant').required(),
    scopeId: id.required(),
    version: id.required(),
  })
    .allow(null)
    .required(),
  traceparent: Joi.string().allow(null).required(),
  data: Joi.object().required(),
}).unknown(true);

const traceparent = Joi.string().pattern(/^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/);

type Head = Omit<EventEnvelope, 'data'>;

const headMembers = (type: EventType): Joi.StrictSchemaMap<Head> => ({
  id: wireId.description('id of the event, equal to the messageId of the message; use it to drop duplicates'),
  type: Joi.string().valid(type).description('routing key of the message'),
  schemaVersion: Joi.number().valid(1).description('grows when members are removed or change their meaning'),
  tenantId: wireId.description('the tenant whose entity changed'),
  entity: Joi.string().valid(eventEntityOf(type)).description('kind of the entity that changed'),
  entityId: wireId.description('id of the entity; for tenant events the tenant id'),
  formId: wireId
    .allow(null)
    .description('id of the form that the entity belongs to (for a form its own id); null without one'),
  revision: wireId.description(
    'revision of the entity after the change; it orders the events, and a gap means a missed event; for a delivery the number of attempts',
  ),
  occurredAt: wireDate.description('time of the change'),
  settings: settingsRefSchema
    .allow(null)
    .description('the webhook settings in force; null without settings or for events without webhooks'),
  traceparent: traceparent.allow(null).description('W3C trace context of the request that made the change'),
});

/** The schema of each event's message: the envelope with the data of that event. */
export const eventMessageSchemas = Object.fromEntries(
  eventTypes.map((type) => [type, messageSchema(type)]),
) as { readonly [T in EventType]: Joi.ObjectSchema<EventEnvelope<T>> };

function messageSchema<T extends EventType>(type: T): Joi.ObjectSchema<EventEnvelope<T>> {
  return exactObject<Head>(messageName(type), headMembers(type)).append<EventEnvelope<T>>({
    data: eventDataSchemas[type].required(),
  });
}

/** `form.created` → `FormCreatedMessage`, for documents. */
function messageName(type: EventType): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Message`;
}

/** Headers of a message besides AMQP's own properties, for routing and tracing without reading the body. */
export interface EventHeaders {
  tenant: string;
  'schema-version': 1;
  traceparent?: string;
}

export const eventHeadersSchema = exactObject<EventHeaders>(
  'EventHeaders',
  {
    tenant: wireId.description('`tenantId` of the envelope'),
    'schema-version': Joi.number().valid(1).description('`schemaVersion` of the envelope'),
  },
  { traceparent: traceparent.description('W3C trace context, if there is one') },
).description('Headers of the message.');

/**
 * The fault of the body of a message that Canvass published, or null. Tests check every published message
 * with it.
 */
export function eventMessageFault(routingKey: string, body: unknown): string | null {
  const schema = (eventMessageSchemas as Partial<Record<string, Joi.Schema>>)[routingKey];
  if (schema === undefined) return `"${routingKey}" is not an event`;
  return schema.validate(body, { abortEarly: false, convert: false }).error?.message ?? null;
}
