import { takesIfMatch, type Access, type DescribedAnswer, type HttpOperation } from '@canvass/service-kit';
import { present, type Components, type JsonSchema } from './components';
import type { JoiDescription } from './joi-description';
import { requestExampleOf } from './request-example';
import { convertDescription, jsonSchemaOf, type Conversion } from './json-schema';
import type { ProblemComponents, Response } from './problems';

/** The parts that the operations of a document share. */
export interface Shared {
  /** The conversions of requests and of answers to schemas. */
  requests: Conversion;
  answers: Conversion;
  problems: ProblemComponents;
  tagOf(endpoint: HttpOperation): string;
}

/** The Operation Object (OpenAPI 3.1, section 4.8.10) of an endpoint. */
export function operationOf(endpoint: HttpOperation, shared: Shared): object {
  const { operationId, summary, access } = endpoint;
  const { conditions, security, permission } = accessOf(access);
  const query = endpoint.query === undefined ? undefined : jsonSchemaOf(endpoint.query, shared.requests);
  const description = [endpoint.description, conditions, query?.['$comment']]
    .filter((part) => part !== undefined)
    .join(' ');
  const parameters = [
    ...parametersOf('path', endpoint.params, shared),
    ...parametersOf('query', endpoint.query, shared),
    ...headerParametersOf(endpoint),
  ];
  return present({
    operationId,
    tags: [shared.tagOf(endpoint)],
    summary,
    description: description || undefined,
    security,
    'x-permission': permission,
    parameters: parameters.length === 0 ? undefined : parameters,
    requestBody: requestBodyOf(endpoint, shared),
    responses: shared.problems.responsesOf(endpoint, answersOf(endpoint, shared)),
  });
}

/** `:formId` → `{formId}` */
export const pathTemplateOf = (path: string): string => path.replace(/:([A-Za-z]+)/g, '{$1}');

interface Needs {
  conditions?: string;
  security: object[];
  permission?: string;
}

const accessToken = { accessToken: [] };
const serviceAccount = { serviceAccount: [] };

const needs: Record<Exclude<Access, object>, Needs> = {
  anonymous: { security: [] },
  optional: {
    conditions: 'Open to anonymous callers; an access token that is sent must be valid.',
    security: [{}, accessToken, serviceAccount],
  },
  custom: { conditions: 'Needs a form-access token of that form.', security: [{ formAccessToken: [] }] },
  cookie: { conditions: 'Needs the cookie of a browser session.', security: [{ sessionCookie: [] }] },
  authenticated: { security: [accessToken, serviceAccount] },
  internal: { conditions: 'Only for the other services.', security: [{ serviceToken: [] }] },
};

function accessOf(access: Access): Needs {
  if (typeof access !== 'object') return needs[access];
  const { permission } = access;
  return {
    conditions: `Needs the permission \`${permission}\`.`,
    security: [accessToken, serviceAccount],
    permission,
  };
}

function parametersOf(
  place: 'path' | 'query',
  schema: HttpOperation['params'],
  { requests }: Shared,
): object[] {
  const { keys = {} } = (schema?.describe() ?? {}) as Partial<JoiDescription>;
  return Object.entries(keys).map(([name, member]) => {
    const { description, ...rest } = convertDescription(member, requests);
    const required = place === 'path' || member.flags?.presence === 'required' || undefined;
    return present({ name, in: place, description, required, schema: asText(rest, requests.components) });
  });
}

/**
 * The schema of a parameter. A body may have an id as text or as a number, but a URL has only text, so a
 * parameter has the type string alone. With two types, some generated clients do not compile.
 */
function asText(schema: JsonSchema, components: Components): JsonSchema {
  const { $ref, ...facts } = schema;
  const all: JsonSchema = typeof $ref === 'string' ? { ...components.get($ref), ...facts } : schema;
  const { type, minimum: _least, maximum: _most, ...others } = all;
  if (Array.isArray(type) && type.includes('string') && type.includes('integer'))
    return { type: 'string', ...others };
  const { items, anyOf, ...rest } = schema;
  if (items !== undefined) return { ...rest, items: asText(items as JsonSchema, components) };
  if (anyOf === undefined) return schema;
  const texts = (anyOf as JsonSchema[]).map((one) => asText(one, components));
  const patterns = texts.map(({ pattern }) => pattern);
  return patterns.includes(undefined)
    ? { ...rest, anyOf: texts }
    : { ...rest, type: 'string', pattern: patterns.map((pattern) => `(?:${String(pattern)})`).join('|') };
}

function headerParametersOf(endpoint: HttpOperation): object[] {
  const names = [
    ...(endpoint.idempotency === undefined ? [] : ['Idempotency-Key']),
    ...(takesIfMatch(endpoint) ? ['If-Match'] : []),
    ...(isCacheable(endpoint) ? ['If-None-Match'] : []),
  ];
  const own = Object.entries(endpoint.headers ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  }));
  return [...own, ...names.map((name) => ({ $ref: `#/components/parameters/${name}` }))];
}

const isCacheable = ({ method, answers }: HttpOperation): boolean =>
  method === 'get' && answers?.[200]?.headers?.['ETag'] !== undefined;

function requestBodyOf(endpoint: HttpOperation, { requests }: Shared): object | undefined {
  const { body, rawBody = [], formBody, bodyLimit } = endpoint;
  if (body === undefined && rawBody.length === 0) return undefined;
  const schema = body === undefined ? undefined : jsonSchemaOf(body, requests);
  const typed = schema && {
    schema,
    example: requestExampleOf(schema, (ref) => requests.components.get(ref)),
  };
  const { presence, default: value } = (body?.describe() as JoiDescription | undefined)?.flags ?? {};
  return present({
    description: bodyLimit === undefined ? undefined : `At most ${sizeOf(bodyLimit)}.`,
    required: presence !== 'optional' && value === undefined,
    content: {
      ...(typed && { 'application/json': typed }),
      ...(typed && formBody === true && { 'application/x-www-form-urlencoded': typed }),
      ...Object.fromEntries(
        rawBody.map((type) => [type, { schema: /csv|json/.test(type) ? streamedText : bytes }]),
      ),
    },
  });
}

/** `16kb` → `16 KiB`, 1048576 → `1 MiB` */
const sizeOf = (limit: string | number): string =>
  typeof limit === 'number'
    ? `${limit / 2 ** 20} MiB`
    : limit.replace(/\s*([km])b$/i, (_all, unit: string) => ` ${unit.toUpperCase()}iB`);

const streamedText: JsonSchema = { type: 'string', description: 'Text in UTF-8, taken as a stream.' };
/** A file that is not text. */
const bytes: JsonSchema = { type: 'string', format: 'binary' };

function answersOf(endpoint: HttpOperation, shared: Shared): Record<string, Response> {
  const described = Object.entries(endpoint.answers ?? {}).map(([status, answer]) => [
    status,
    answerOf(answer, endpoint, shared),
  ]);
  const unchanged = 'The copy that If-None-Match names is still good.';
  return {
    ...(Object.fromEntries(described) as Record<string, Response>),
    ...(isCacheable(endpoint) && { 304: { description: unchanged, headers: headersOf(['ETag']) } }),
  };
}

function answerOf(answer: DescribedAnswer, { idempotency }: HttpOperation, { answers }: Shared): Response {
  const { description, body, content = {}, headers = {}, example } = answer;
  const schemas = Object.entries(content).map(([type, holds]) => [
    type,
    { schema: typeof holds === 'string' ? { description: holds } : jsonSchemaOf(holds, answers) },
  ]);
  if (body !== undefined)
    schemas.push(['application/json', present({ schema: jsonSchemaOf(body, answers), example })]);
  return present({
    description,
    headers: {
      ...headersOf(['X-Request-Id', ...(idempotency === undefined ? [] : ['Idempotency-Replayed'])]),
      ...Object.fromEntries(Object.entries(headers).map(([name, holds]) => [name, headerOf(holds)])),
    },
    content: schemas.length === 0 ? undefined : (Object.fromEntries(schemas) as Record<string, object>),
  }) as Response;
}

const headerOf = (description: string) => ({ description, required: true, schema: { type: 'string' } });

const headersOf = (names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
