import {
  eventDataSchemas,
  eventExample,
  eventSummaries,
  webhookAlert,
  webhookAlertExample,
  webhookAlertSchema,
  webhookEvents,
} from '@canvass/contracts';
import { Components, constant, type JsonSchema } from './components';
import { headOf, type OpenApiDocument } from './document';
import { jsonSchemaOf, type Conversion } from './json-schema';

/**
 * The document of the requests that receivers of webhooks get, by event name (OpenAPI 3.1, section 4.8.1). It is
 * one of its own, because generators of clients take them for operations of the API.
 */
export function webhookDocumentOf(version: string): OpenApiDocument {
  const components = new Components();
  const answers: Conversion = { components, objects: 'open', areTimesParsed: true };
  const kinds = Object.entries(webhookEvents) as [keyof typeof webhookEvents, Kind][];
  const operations: [string, object][] = kinds.map(([type, kind]) => [
    kind.eventName,
    { post: eventOperation(type, kind, answers) },
  ]);
  operations.push([webhookAlert.eventName, { post: alertOperation(answers) }]);
  return {
    ...headOf(version, 'Canvass webhooks', 'The requests that receivers of webhooks get.', about),
    tags: [{ name: 'Webhooks', description: 'Changes of forms, submissions and submitters.' }],
    paths: {},
    webhooks: Object.fromEntries(operations) as object,
    components: { schemas: components.all() },
  };
}

/**
 * What a person chooses from: each event type with the schema and the example that the document of the requests
 * has. A schema stands alone: what it refers to is in its `$defs`.
 */
export function webhookEventTypesOf({ webhooks, components }: OpenApiDocument): { items: object[] } {
  const requests = webhooks as Record<string, { post: RequestOperation }>;
  const items = Object.values(webhookEvents).map(({ settingsName, eventName, action, entity }) => {
    const { summary, requestBody } = requests[eventName]!.post;
    const { schema, example } = requestBody.content['application/json'];
    return {
      name: settingsName,
      eventName,
      action,
      entity,
      description: summary,
      schema: standingAlone(schema, components.schemas),
      example,
    };
  });
  return { items };
}

interface RequestOperation {
  summary: string;
  requestBody: { content: { 'application/json': { schema: JsonSchema; example: object } } };
}

function standingAlone(schema: JsonSchema, schemas: Record<string, JsonSchema>): JsonSchema {
  const named = new Set<string>();
  const collect = (of: JsonSchema): void => {
    for (const [, name] of JSON.stringify(of).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (named.has(name!)) continue;
      named.add(name!);
      collect(schemas[name!]!);
    }
  };
  collect(schema);
  const defs = Object.fromEntries([...named].map((name) => [name, schemas[name]]));
  const text = JSON.stringify({ ...schema, $defs: defs });
  return JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as JsonSchema;
}

const about =
  'Requests are signed (Standard Webhooks) and repeated until a receiver answers 2xx. Ids are decimal strings. A member that this document does not name is new: ignore it.';

type Kind = (typeof webhookEvents)[keyof typeof webhookEvents];

function eventOperation(type: keyof typeof webhookEvents, kind: Kind, answers: Conversion): object {
  const { eventName, action, entity } = kind;
  const event = eventExample(type);
  const { tenantId, revision, data } = event;
  const ids = Object.fromEntries(
    idNames[entity].map((name, n) => [name, n === 0 ? event.entityId : event.formId]),
  );
  const message = {
    Id: event.id,
    EventName: eventName,
    Action: action,
    Payload: { ...ids, tenantId, revision, ...data },
  };
  const payload = { allOf: [idsSchema(idNames[entity]), jsonSchemaOf(eventDataSchemas[type], answers)] };
  return operationOf(kind, message, payload, {
    summary: eventSummaries[type],
    description: `Sent at least once to each endpoint of the settings in force. ${verify}`,
  });
}

/** The message to the alert URL of a tenant, which no event causes. */
function alertOperation(answers: Conversion): object {
  const message = {
    Id: '186512345681000832',
    EventName: webhookAlert.eventName,
    Action: webhookAlert.action,
    Payload: webhookAlertExample,
  };
  const payload = { allOf: [testSchema, jsonSchemaOf(webhookAlertSchema, answers)] };
  return operationOf(webhookAlert, message, payload, {
    summary: 'An endpoint fails, recovers or is disabled, or has dead deliveries.',
    description: `Sent at least once to the alert URL of the tenant. ${verify}`,
  });
}

const verify = 'Verify the signature (Standard Webhooks) before you trust the body.';

function operationOf(
  kind: Pick<Kind, 'action'> & { eventName: string; entity: string },
  message: object,
  payload: JsonSchema,
  texts: { summary: string; description: string },
): object {
  const schema: JsonSchema = {
    type: 'object',
    required: ['Id', 'EventName', 'Action', 'Payload'],
    properties: {
      Id: { ...wireId, description: 'Id of the event; equal in each repetition.' },
      EventName: constant(kind.eventName),
      Action: constant(kind.action),
      Payload: payload,
    },
  };
  return {
    operationId: `receive_${kind.eventName}`,
    tags: ['Webhooks'],
    ...texts,
    security: [],
    parameters: headersOf(kind),
    requestBody: { required: true, content: { 'application/json': { schema, example: message } } },
    responses: {
      '2XX': { description: 'The message was received, and is not sent again.' },
      '410': { description: 'The endpoint is disabled until it is enabled or its URL is edited.' },
      default: { description: 'The message is sent again later. `Retry-After` is respected up to 24 h.' },
    },
  };
}

const wireId: JsonSchema = { type: 'string', pattern: '^\\d+$' };

/** The ids of each payload: of the entity, and of its form. */
const idNames = {
  form: ['formId'],
  submission: ['submissionId', 'formId'],
  submitter: ['submitterId'],
} as const;

const testSchema = {
  type: 'object',
  properties: {
    isTestEvent: {
      ...constant(true),
      description: 'Only in a test event, whose values are those of the example.',
    },
  },
};

const idsSchema = (names: readonly string[]): JsonSchema => ({
  type: 'object',
  required: [...names, 'tenantId', 'revision'],
  properties: {
    ...Object.fromEntries(names.map((name) => [name, wireId])),
    tenantId: wireId,
    revision: { ...wireId, description: 'Orders the events of one entity.' },
    ...testSchema.properties,
  },
});

const header = (name: string, description: string, schema: JsonSchema) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});

const headersOf = ({
  eventName,
  action,
  entity,
}: Record<'eventName' | 'action' | 'entity', string>): object[] => [
  header('webhook-id', 'The `Id` of the body. Drop messages whose id you have seen.', { type: 'string' }),
  header('webhook-timestamp', 'Time of this attempt in seconds since 1970.', {
    type: 'string',
    pattern: '^\\d+$',
  }),
  header('webhook-signature', 'One or two signatures `v1,<base64>`, separated by a space.', {
    type: 'string',
  }),
  header('X-Service-Event', 'The name of the event.', constant(eventName)),
  header('X-Service-Entity', 'What the event is about.', constant(entity)),
  header('X-Service-Action', 'What happened to it.', constant(action)),
  header('X-Service-Hook-Id', 'The `Id` of the body.', { type: 'string' }),
];
