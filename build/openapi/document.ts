import type { HttpOperation } from '@canvass/service-kit';
import { Components, constant } from './components';
import type { Conversion } from './json-schema';
import { operationOf, pathTemplateOf, type Shared } from './operation';
import { ProblemComponents } from './problems';

/** An OpenAPI 3.1 document, as far as it is looked into here. */
export interface OpenApiDocument {
  openapi: string;
  info: Record<string, unknown>;
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, Record<string, unknown>> } & Record<string, Record<string, unknown>>;
  [member: string]: unknown;
}

export interface DocumentOptions {
  version: string;
  /** See `Conversion.objects`: `closed` is what tests hold answers to. */
  answers?: Conversion['objects'];
}

/** The subjects of operations by the beginning of the path; the first that fits counts. */
const tags: readonly (readonly [pattern: RegExp, name: string, description: string])[] = [
  [/^\/api\/auth/, 'Authentication', 'Sign in, and who one is.'],
  [/^\/api\/(users|roles|password-links)/, 'Users', 'People who work with forms, and their roles.'],
  [/^\/api\/service-accounts/, 'Service accounts', 'Integrations that sign in with a client secret.'],
  [/^\/\.well-known/, 'Keys', 'Public keys that tokens are verified with.'],
  [/^\/api\/public/, 'Form runtime', 'What a form needs while a respondent fills it in.'],
  [/^\/api\/(jobs|exports|invitations)/, 'Jobs', 'Long work of all areas, and the files of exports.'],
  [/\/submissions/, 'Submissions', 'What respondents send.'],
  [/^\/api\/forms/, 'Forms', 'What respondents are asked.'],
  [/^\/api\/submitters/, 'Submitters', 'Who sent submissions; export and erasure of their data.'],
  [/^\/api\/data-lists/, 'Data lists', 'Choices of questions: items, locales, files and versions.'],
  [/^\/api\/(webhooks|tenant)/, 'Webhooks', 'Endpoints that receive changes, deliveries and their results.'],
  [/^\/api\/stats/, 'Statistics', 'Numbers of all forms together.'],
  [/^\/api\/(search|views)/, 'Search and views', 'Search in all areas, and saved views of lists.'],
  [/^\/api\/events/, 'Live events', 'Server-sent events about changes.'],
  [/^\/api\/audit/, 'Audit trail', 'What staff, integrations and operators did.'],
  [
    /^\/(health|alive|ready|api\/operations\/health)/,
    'Health',
    'The health of the gateway and of what it needs, and that of each service with its history.',
  ],
  [
    /^\/(assets|api\/(docs|openapi|asyncapi|console))/,
    'About this API',
    'Documents, their page, and scripts.',
  ],
];

/** The document of these endpoints; operations in their order, components by name. */
export function documentOf(endpoints: readonly HttpOperation[], options: DocumentOptions): OpenApiDocument {
  const components = new Components();
  const objects = options.answers ?? 'open';
  const problems = new ProblemComponents(objects);
  const shared: Shared = {
    requests: { components, objects: 'closed' },
    answers: { components, objects, areTimesParsed: objects === 'open' },
    problems,
    tagOf: ({ path }) => tags.find(([pattern]) => pattern.test(path))?.[1] ?? 'Other',
  };
  const paths: OpenApiDocument['paths'] = {};
  for (const endpoint of endpoints) {
    const path = (paths[pathTemplateOf(endpoint.path)] ??= {});
    path[endpoint.method] = operationOf(endpoint, shared);
  }
  const used = new Set(endpoints.map((endpoint) => shared.tagOf(endpoint)));
  return {
    ...headOf(options.version, 'Canvass', 'Forms, submissions, submitters, data lists and webhooks.', about),
    tags: tags.filter(([, name]) => used.has(name)).map(([, name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes,
      parameters,
      headers,
      schemas: { ...components.all(), ...problems.schemas() },
      responses: problems.responses(),
      examples: problems.examples(),
    } as OpenApiDocument['components'],
  };
}

/** The members with which every document begins. */
export const headOf = (version: string, title: string, summary: string, description: string) => ({
  openapi: '3.1.1',
  info: {
    title,
    version,
    summary,
    description,
    contact: { name: 'The operator of this installation' },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/', description: 'The gateway that serves this document.' }],
});

const about = `Ids and revisions are 64-bit and stand in JSON as decimal strings; a request may also write one as an integer below 2^53. Moments are ISO 8601, UTC, with milliseconds. Text with U+0000 or a lone surrogate is a 400.

Every error is a problem document (RFC 9457) with a stable \`errorCode\`; a 400 names every offending field. A member that an answer has and this document does not name is new: ignore it.

A request may carry \`X-Request-Id\` and \`traceparent\` (W3C Trace Context); the answer repeats the former, and a problem names it as \`traceId\`. Responses of the services have the nearest rate limit in \`RateLimit-Limit\`, \`-Remaining\` and \`-Reset\`.`;

const securitySchemes = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'Of `POST /api/auth/login`, of `POST /api/auth/token` (service accounts), or of a configured identity provider.',
  },
  serviceAccount: {
    type: 'oauth2',
    description: 'The same token, for clients that fetch it themselves with the client credentials grant.',
    flows: { clientCredentials: { tokenUrl: '/api/auth/token', scopes: {} } },
  },
  formAccessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Of `POST /api/public/forms/{formId}/access-tokens`; opens the data lists of that form.',
  },
  sessionCookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'canvass_session',
    description: 'Of `POST /api/auth/session`; a browser sends it by itself.',
  },
};

const header = (name: string, description: string, schema: object) => ({
  name,
  in: 'header',
  description,
  schema,
});

const parameters = {
  'Idempotency-Key': header(
    'Idempotency-Key',
    'Makes a repetition safe for 24 hours: the same key and request of the same caller get the first answer again, another request with the key is a 409. Keys of other callers are other keys. All anonymous callers are one caller: their keys must be a UUID or at least 22 random characters of base64url (128 bits), and are kept for an hour. A repeated create of a submission returns its token only until the token was first used; then `token` is null. When the created resource was erased, its key is free again.',
    { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
  ),
  'If-Match': header(
    'If-Match',
    'The ETag that was read. The change is refused with 412 when the resource has changed since.',
    {
      type: 'string',
      pattern: '^(\\*|(W/)?"[^"]*"(\\s*,\\s*(W/)?"[^"]*")*)$',
      examples: ['"7"'],
    },
  ),
  'If-None-Match': header(
    'If-None-Match',
    'The ETag of a copy; the answer is 304 while that is still good.',
    {
      type: 'string',
      examples: ['"7"'],
    },
  ),
};

const text = (description: string, example: string) => ({ description, schema: { type: 'string' }, example });

const limit = (description: string, example: number) => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  example,
});

const headers = {
  ETag: text('The revision of what is answered, in quotes.', '"7"'),
  'Idempotency-Replayed': {
    description: 'There when this is the answer to an earlier request with the same Idempotency-Key.',
    schema: constant('true'),
  },
  'RateLimit-Limit': limit('Requests that the nearest rate limit allows in its window.', 600),
  'RateLimit-Remaining': limit('Requests of these that are left.', 0),
  'RateLimit-Reset': limit('Seconds until the window ends.', 30),
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 0 }, example: 1 },
  'WWW-Authenticate': text('The scheme that is asked for (RFC 9110, section 11.6.1).', 'Bearer'),
  'X-Request-Id': text('Names this request in the logs.', '5f0c6c1e-8d7b-4a57-9d0e-0f6f3f6d2a11'),
};
