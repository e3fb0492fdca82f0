import type { DescribedAnswer, HttpOperation } from '@canvass/service-kit';
import Joi from 'joi';
import path from 'node:path';
import { consoleConfigurationOperation } from '../console';

/** A file, and the operation that serves it. */
export interface AssetFile {
  name: string;
  operation: HttpOperation;
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html',
  '.json': 'application/json',
};

export const mediaTypeOf = (name: string): string => mediaTypes[path.extname(name)]!;

const headers = { ETag: 'of the bytes; for If-None-Match', 'Cache-Control': 'always `public, no-cache`' };

type Described = Pick<HttpOperation, 'path' | 'operationId' | 'summary' | 'description'>;

function file(name: string, described: Described, body?: Joi.Schema): AssetFile {
  const holds = body === undefined ? { content: { [mediaTypeOf(name)]: `${described.summary}.` } } : { body };
  return { name, operation: operationOf(described, holds) };
}

const operationOf = (
  described: Described,
  holds: Pick<DescribedAnswer, 'body' | 'content'>,
  problems: HttpOperation['problems'] = [],
): HttpOperation => ({
  method: 'get',
  kind: 'read',
  access: 'anonymous',
  ...described,
  answers: { 200: { description: `${described.summary}.`, headers, ...holds } },
  isProcessEndpoint: true,
  problems: ['malformed_request', 'validation_failed', 'headers_too_large', ...(problems ?? [])],
});

const openApi = Joi.object({
  openapi: Joi.string()
    .pattern(/^3\.1\./)
    .required(),
  info: Joi.object().required(),
  paths: Joi.object().required(),
  components: Joi.object().required(),
}).unknown();

const webhooksOpenApi = openApi.keys({ webhooks: Joi.object().required() });

const asyncApi = Joi.object({
  asyncapi: Joi.string().pattern(/^3\./).required(),
  info: Joi.object().required(),
  channels: Joi.object().required(),
  operations: Joi.object().required(),
}).unknown();

const ifPublic = 'Not served if `Service:Gateway:PublicDocuments` is false.';
const always = 'Always served, also if `Service:Gateway:PublicDocuments` is false.';

/** The documents, and the page that shows /api/openapi.json with Swagger UI. */
export const documentFiles: readonly AssetFile[] = [
  file(
    'openapi.json',
    {
      path: '/api/openapi.json',
      operationId: 'getOpenApiDocument',
      summary: 'This document',
      description: `All public operations of all services (OpenAPI 3.1), for generators of clients. ${ifPublic}`,
    },
    openApi,
  ),
  file(
    'openapi-webhooks.json',
    {
      path: '/api/openapi-webhooks.json',
      operationId: 'getWebhookDocument',
      summary: 'The document of the webhooks',
      description: `The requests that receivers of webhooks get (OpenAPI 3.1, \`webhooks\`), for receivers. ${ifPublic}`,
    },
    webhooksOpenApi,
  ),
  file(
    'asyncapi.json',
    {
      path: '/api/asyncapi.json',
      operationId: 'getAsyncApiDocument',
      summary: 'The document of the events',
      description: `The events on RabbitMQ (AsyncAPI 3), for internal consumers. ${ifPublic}`,
    },
    asyncApi,
  ),
  file('docs.html', {
    path: '/api/docs',
    operationId: 'getDocsPage',
    summary: 'A page that shows this document',
    description: `For a browser. The page can send requests with an access token. ${ifPublic}`,
  }),
  file('docs.js', {
    path: '/assets/docs.js',
    operationId: 'getDocsScript',
    summary: 'The script of that page',
    description: `Loads \`/api/openapi.json\` into Swagger UI. ${ifPublic}`,
  }),
  file('docs.css', {
    path: '/assets/docs.css',
    operationId: 'getDocsStyle',
    summary: 'The style of that page',
    description: `What the page adds to the style of Swagger UI. ${ifPublic}`,
  }),
  file('swagger-ui.css', {
    path: '/assets/swagger-ui.css',
    operationId: 'getSwaggerUiStyle',
    summary: 'The style of what that page is made with',
    description: `From the package swagger-ui-dist, unchanged. ${ifPublic}`,
  }),
  file('swagger-ui-bundle.js', {
    path: '/assets/swagger-ui-bundle.js',
    operationId: 'getSwaggerUi',
    summary: 'What that page is made with',
    description: `From the package swagger-ui-dist, unchanged. ${ifPublic}`,
  }),
];

const text = Joi.string().required();
const eventTypes = Joi.object({
  items: Joi.array()
    .items(
      Joi.object({
        name: text.description('name in webhook settings'),
        eventName: text.description('`EventName` of the message, and X-Service-Event'),
        action: Joi.string().valid('created', 'updated', 'deleted').required().description('`Action`'),
        entity: text.description('X-Service-Entity'),
        description: text.description('when it is sent'),
        schema: Joi.object().unknown().required().description('JSON Schema (2020-12) of the message'),
        example: Joi.object().unknown().required().description('a message; a test message is this one'),
      }).id('WebhookEventType'),
    )
    .required(),
}).id('WebhookEventTypes');

/** The files that clients need always. */
export const clientFiles: readonly AssetFile[] = [
  file(
    'webhook-event-types.json',
    {
      path: '/api/webhooks/event-types',
      operationId: 'listWebhookEventTypes',
      summary: 'The event types of webhooks',
      description: `Each with the JSON Schema of its message, as in the document of the webhooks, and an example. ${always}`,
    },
    eventTypes,
  ),
  file('canvass-surveyjs.js', {
    path: '/assets/canvass-surveyjs.js',
    operationId: 'getSurveyJsAdapter',
    summary: 'A script that connects SurveyJS forms with data lists',
    description: `A page with a SurveyJS form loads it. ${always}`,
  }),
];

export const securityTxtOperation = operationOf(
  {
    path: '/.well-known/security.txt',
    operationId: 'getSecurityTxt',
    summary:
      'Where vulnerabilities are reported (RFC 9116); 404 unless `Service:Gateway:SecurityContact` is set',
    description: 'The contact of this installation. `Expires` is one year after the start of the gateway.',
  },
  { content: { 'text/plain': 'The contact.' } },
  ['not_found'],
);

export const assetOperations: readonly HttpOperation[] = [
  ...documentFiles.map(({ operation }) => operation),
  ...clientFiles.map(({ operation }) => operation),
  securityTxtOperation,
  consoleConfigurationOperation,
];
