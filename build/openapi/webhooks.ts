import {
  eventDataSchemas,
  eventExample,
  eventSummaries,
  webhookEvents,
  type EventType,
  type WebhookMessage,
} from '@canvass/contracts';
import type { JsonSchema } from './components';
import { jsonSchemaOf, type Conversion } from './json-schema';

/** `webhooks` of a document (OpenAPI 3.1, section 4.8.1): the requests that receivers get, by event name. */
export function webhooksOf(answers: Conversion): Record<string, object> {
  const kinds = Object.entries(webhookEvents) as [keyof typeof webhookEvents, Kind][];
  return Object.fromEntries(
    kinds.map(([type, kind]) => [kind.eventName, { post: operationOf(type, kind, answers) }]),
  );
}

type Kind = (typeof webhookEvents)[keyof typeof webhookEvents];

function operationOf(type: keyof typeof webhookEvents, kind: Kind, answers: Conversion): object {
  const { eventName, action, entity } = kind;
  const { id, data } = eventExample(type as EventType) as unknown as {
    id: string;
    data: WebhookMessage['Payload'];
  };
  const message: WebhookMessage = { Id: id, EventName: eventName, Action: action, Payload: data };
  const schema: JsonSchema = {
    type: 'object',
    required: ['Id', 'EventName', 'Action', 'Payload'],
    properties: {
      Id: { type: 'string', pattern: '^\\d+$', description: 'Id of the event; equal in each repetition.' },
      EventName: { const: eventName },
      Action: { const: action },
      Payload: jsonSchemaOf(eventDataSchemas[type], answers),
    },
  };
  return {
    operationId: `receive_${eventName}`,
    tags: ['Webhooks'],
    summary: eventSummaries[type],
    description:
      'Sent at least once to each endpoint of the settings in force. Verify the signature (Standard Webhooks) before you trust the body.',
    security: [],
    parameters: headersOf(kind, entity),
    requestBody: { required: true, content: { 'application/json': { schema, example: message } } },
    responses: {
      '2XX': { description: 'The message was received, and is not sent again.' },
      '410': { description: 'The endpoint is disabled until it is enabled or its URL is edited.' },
      default: { description: 'The message is sent again later. `Retry-After` is respected up to 24 h.' },
    },
  };
}

const header = (name: string, description: string, schema: JsonSchema) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});

const headersOf = ({ eventName, action }: Kind, entity: string): object[] => [
  header('webhook-id', 'The `Id` of the body. Drop messages whose id you have seen.', { type: 'string' }),
  header('webhook-timestamp', 'Time of this attempt in seconds since 1970.', {
    type: 'string',
    pattern: '^\\d+$',
  }),
  header('webhook-signature', 'One or two signatures `v1,<base64>`, separated by a space.', {
    type: 'string',
  }),
  header('X-Service-Event', 'The name of the event.', { const: eventName }),
  header('X-Service-Entity', 'What the event is about.', { const: entity }),
  header('X-Service-Action', 'What happened to it.', { const: action }),
  header('X-Service-Hook-Id', 'The `Id` of the body.', { type: 'string' }),
];
