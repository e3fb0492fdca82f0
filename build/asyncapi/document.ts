import {
  eventExample,
  eventHeadersSchema,
  eventMessageSchemas,
  eventSummaries,
  eventTypes,
  exchanges,
  queues,
  serviceTopology,
  type EventType,
  type QueueDeclaration,
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

/** The queue of a consumer outside Canvass, as `examples/consumer.mjs` declares it. */
export interface ExampleConsumer {
  queue: string;
  arguments: Members;
  routingKeys: readonly string[];
}

const bindingVersion = '0.3.0';

/** Describes what Canvass puts on RabbitMQ, and what it takes from there. */
export function asyncApiDocument(version: string, example: ExampleConsumer): AsyncApiDocument {
  const components = new Components();
  const schemaOf = (schema: Joi.Schema) => jsonSchemaOf(schema, { components, objects: 'open' });
  const messages = Object.fromEntries(
    eventTypes.map((type) => [messageKey(type), messageOf(type, schemaOf)]),
  );
  const consumed = serviceTopology.queues.filter(({ name }) => consumers[name] !== undefined);
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
    channels: {
      ...Object.fromEntries(eventTypes.map((type) => [messageKey(type), eventChannel(type)])),
      ...Object.fromEntries(
        consumed.map((queue) => [channelKey(queue.name), queueChannel(queue, consumers[queue.name]!)]),
      ),
      exampleConsumer: exampleChannel(example),
    },
    operations: {
      ...Object.fromEntries(eventTypes.map((type) => [`send${capital(messageKey(type))}`, sending(type)])),
      ...Object.fromEntries(
        consumed.map((queue) => [`receive${capital(channelKey(queue.name))}`, taking(queue)]),
      ),
    },
    components: { messages, schemas: components.all() },
  };
}

const about = `Every change of a form, a submission, a data list or webhook settings, and what befalls webhook endpoints and deliveries, is one message on the topic exchange \`${exchanges.events}\`, by its routing key. It is published with \`mandatory\`, persistent and with a publisher confirm, from a transactional outbox: at least once, per entity in order, and nothing that was not committed.

An event that no queue is bound for is not kept, unless Canvass itself needs it: then it waits in the outbox.

**To consume:** declare a queue of your own (a quorum queue with a limit), bind it by routing keys (\`datalist.*\`), acknowledge what you have handled. Never consume from the queues of Canvass. Drop duplicates by \`messageId\`, which is the \`id\` of the envelope; order the events of one entity by \`revision\`. Ignore members that you do not know: members may be added, and \`schemaVersion\` grows when one changes its meaning.

Ids and revisions are 64-bit and stand in JSON as decimal strings. Moments are ISO 8601, UTC, with milliseconds. A member without a value is \`null\`, not absent.`;

/** The consumers of the queues that are bound to the events exchange, and what they take. */
const consumers: Readonly<Record<string, string>> = {
  [queues.webhookEvents]: 'webhook-relay-svc turns these into deliveries, one per webhook endpoint.',
  [queues.live]:
    'webhook-relay-svc notifies clients of `GET /api/events/stream` of these and those of webhook.events.',
  [queues.dataListForms]: 'datalists-svc keeps by these which form may read which list.',
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `form.webhook_settings_changed` → `formWebhookSettingsChanged` */
const messageKey = (type: EventType): string =>
  type.replace(/[._]([a-z])/g, (_all, letter: string) => letter.toUpperCase());

const channelKey = (queue: string): string =>
  `${queue.replace(/\.([a-z])/g, (_all, letter: string) => letter.toUpperCase())}Queue`;

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

/** Events that a binding of a topic exchange lets through: `*` is one word, `#` any number. */
export function eventsBoundBy(routingKey: string): EventType[] {
  const pattern = routingKey
    .split('.')
    .map((word) => (word === '*' ? '[a-z_]+' : word === '#' ? '.*' : word))
    .join('\\.');
  return eventTypes.filter((type) => new RegExp(`^${pattern}$`).test(type));
}

function boundMessages(routingKeys: readonly string[]): Members {
  return Object.fromEntries(
    routingKeys.flatMap(eventsBoundBy).map((type) => [messageKey(type), messageRef(type)]),
  );
}

const queueBinding = (name: string) => ({
  amqp: {
    is: 'queue',
    queue: { name, durable: true, exclusive: false, autoDelete: false, vhost: '/' },
    bindingVersion,
  },
});

const bindingsOf = ({ bindings }: QueueDeclaration) => bindings.map(({ routingKey }) => routingKey);

const queueChannel = (queue: QueueDeclaration, description: string): Members & { address: string } => ({
  address: queue.name,
  title: queue.name,
  description: `${description} A queue of Canvass: do not consume from it.`,
  messages: boundMessages(bindingsOf(queue)),
  bindings: queueBinding(queue.name),
  'x-queue-arguments': queue.arguments,
  'x-queue-bindings': queue.bindings.filter(({ exchange }) => exchange === exchanges.events),
});

const taking = (queue: QueueDeclaration): Members => ({
  action: 'receive',
  channel: { $ref: `#/channels/${channelKey(queue.name)}` },
  summary: consumers[queue.name],
  bindings: { amqp: { ack: true, bindingVersion } },
});

const exampleChannel = (example: ExampleConsumer): Members & { address: string } => ({
  address: example.queue,
  title: 'A consumer of yours',
  description:
    'How a consumer binds a queue of its own; `examples/consumer.mjs` does it so. Limit the queue, and let it drop the oldest messages (`x-overflow: drop-head`). A queue that refuses messages when it is full makes RabbitMQ refuse the event, which then stays in the outbox for all consumers.',
  messages: boundMessages(example.routingKeys),
  bindings: queueBinding(example.queue),
  'x-queue-arguments': example.arguments,
  'x-queue-bindings': example.routingKeys.map((routingKey) => ({ exchange: exchanges.events, routingKey })),
});
