import Joi from 'joi';
import { eventDataSchemas, eventTypes, settingsRefSchema } from './event-schemas';
import { eventEntityOf, type EventEnvelope, type EventType, type SettingsRef } from './events';
import { exactObject } from './exact-object';
import { wireDate, wireId } from './wire-types';

const id = Joi.string().pattern(/^[0-9]{1,19}$/);

/**
 * Shape of every envelope, as far as a consumer must insist on it; `data` is checked by the event's own consumer.
 * Unknown members are allowed (old consumers, newer producers). What Canvass itself publishes is narrower:
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
  id: wireId.description("id of the event, equal to the message's messageId: drop duplicates by it"),
  type: Joi.string().valid(type).description('routing key of the message'),
  schemaVersion: Joi.number().valid(1).description('grows when members change their meaning or go away'),
  tenantId: wireId.description('the tenant whose entity changed'),
  entity: Joi.string().valid(eventEntityOf(type)).description('kind of the entity that changed'),
  entityId: wireId.description('the entity that changed; for tenant events the tenant'),
  formId: wireId.allow(null).description('the form the entity belongs to (a form: its own id); null: none'),
  revision: wireId.description(
    'revision of the entity after the change: orders its events, and a gap is a missed one; of a delivery its attempts',
  ),
  occurredAt: wireDate.description('when the change was made'),
  settings: settingsRefSchema
    .allow(null)
    .description('the webhook settings in force; null: none, or webhooks do not carry the event'),
  traceparent: traceparent.allow(null).description('W3C trace context of the request that made the change'),
});

/** What the message of each event holds, exactly: the envelope with that event's data. */
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

/** Headers of a message beside AMQP's own properties, for consumers that route or trace without reading the body. */
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
  { traceparent: traceparent.description('W3C trace context; absent without one') },
).description('Headers of the message.');

/**
 * What is wrong with the body of a message that Canvass published, or null. For tests: everything that any of them
 * publishes is held to the documents.
 */
export function eventMessageFault(routingKey: string, body: unknown): string | null {
  const schema = (eventMessageSchemas as Partial<Record<string, Joi.Schema>>)[routingKey];
  if (schema === undefined) return `"${routingKey}" is not an event`;
  return schema.validate(body, { abortEarly: false, convert: false }).error?.message ?? null;
}
