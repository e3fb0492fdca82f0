import {
  eventExample,
  eventHeadersSchema,
  eventMessageSchemas,
  eventSummaries,
  eventTypes,
  exchanges,
  type EventType,
} from '@canvass/contracts';
import type Joi from 'joi';
import { Components } from '../openapi/components';
import { jsonSchemaOf } from '../openapi/json-schema';

type Members = Record<string, unknown>;

/** An AsyncAPI 3 document, as far as it is looked into here. */
export interface AsyncApiDocument {
  asyncapi: string;
  info: Members;
  channels: Record<string, Members & { address: string }>;
  operations: Record<string, Members>;
  components: { messages: Record<string, Members>; schemas: Record<string, Members> };
  [member: string]: unknown;
}

const bindingVersion = '0.3.0';

/** Describes what Canvass puts on RabbitMQ for others. */
export function asyncApiDocument(version: string): AsyncApiDocument {
  const components = new Components();
  const schemaOf = (schema: Joi.Schema) => jsonSchemaOf(schema, { components, objects: 'open' });
  const messages = Object.fromEntries(
    eventTypes.map((type) => [messageKey(type), messageOf(type, schemaOf)]),
  );
  return {
    asyncapi: '3.0.0',
    info: { title: 'Canvass events', version, description: about, license: { name: 'MIT' } },
    defaultContentType: 'application/json',
    servers: {
      broker: {
        host: 'localhost:5672',
        protocol: 'amqp',
        protocolVersion: '0.9.1',
        description: 'The RabbitMQ (3.10 or later) that `Service:Broker:Url` names.',
      },
    },
    channels: Object.fromEntries(eventTypes.map((type) => [messageKey(type), eventChannel(type)])),
    operations: Object.fromEntries(
      eventTypes.map((type) => [`send${capital(messageKey(type))}`, sending(type)]),
    ),
    components: { messages, schemas: components.all() },
  };
}

const about = `Every change of a form, a submission, a data list or webhook settings, and what befalls webhook endpoints and deliveries, is one message on the topic exchange \`${exchanges.events}\`, by its routing key. It is published with \`mandatory\`, persistent and with a publisher confirm, from a transactional outbox: at least once, per entity in order, and nothing that was not committed.

An event that no queue is bound for is not kept, unless Canvass itself needs it: then it waits in the outbox.

**To consume:** declare a queue of your own (a quorum queue with a limit), bind it by routing keys (\`datalist.*\`), acknowledge what you have handled. Never consume from the queues of Canvass. Drop duplicates by \`messageId\`, which is the \`id\` of the envelope; order the events of one entity by \`revision\`. Ignore members that you do not know: members may be added, and \`schemaVersion\` grows when one changes its meaning.

Ids and revisions are 64-bit and stand in JSON as decimal strings. Moments are ISO 8601, UTC, with milliseconds. A member without a value is \`null\`, not absent.`;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `form.webhook_settings_changed` → `formWebhookSettingsChanged` */
const messageKey = (type: EventType): string =>
  type.replace(/[._]([a-z])/g, (_all, letter: string) => letter.toUpperCase());

const messageRef = (type: EventType) => ({ $ref: `#/components/messages/${messageKey(type)}` });

function messageOf(type: EventType, schemaOf: (schema: Joi.Schema) => Members): Members {
  const payload = eventExample(type);
  return {
    name: type,
    title: type,
    summary: eventSummaries[type],
    contentType: 'application/json',
    headers: schemaOf(eventHeadersSchema),
    payload: schemaOf(eventMessageSchemas[type]),
    bindings: { amqp: { contentEncoding: 'utf-8', messageType: type, bindingVersion } },
    'x-message-id': '`messageId` of the message is `id` of its payload.',
    examples: [
      {
        name: type,
        headers: { tenant: payload.tenantId, 'schema-version': 1, traceparent: payload.traceparent },
        payload,
      },
    ],
  };
}

const exchange = { name: exchanges.events, type: 'topic', durable: true, autoDelete: false, vhost: '/' };

const eventChannel = (type: EventType): Members & { address: string } => ({
  address: type,
  title: type,
  description: `Routing key \`${type}\` of the exchange \`${exchanges.events}\`.`,
  messages: { [messageKey(type)]: messageRef(type) },
  bindings: { amqp: { is: 'routingKey', exchange, bindingVersion } },
});

const sending = (type: EventType): Members => ({
  action: 'send',
  channel: { $ref: `#/channels/${messageKey(type)}` },
  summary: eventSummaries[type],
  bindings: { amqp: { deliveryMode: 2, mandatory: true, bindingVersion } },
});
