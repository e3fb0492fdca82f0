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

function file(at: string, name: string, operationId: string, summary: string, body?: Joi.Schema): AssetFile {
  const holds = body === undefined ? { content: { [mediaTypeOf(name)]: `${summary}.` } } : { body };
  return { name, operation: operationOf(at, operationId, summary, holds) };
}

const operationOf = (
  at: string,
  operationId: string,
  summary: string,
  holds: Pick<DescribedAnswer, 'body' | 'content'>,
  problems: HttpOperation['problems'] = [],
): HttpOperation => ({
  method: 'get',
  kind: 'read',
  access: 'anonymous',
  path: at,
  operationId,
  summary,
  answers: { 200: { description: `${summary}.`, headers, ...holds } },
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

const asyncApi = Joi.object({
  asyncapi: Joi.string().pattern(/^3\./).required(),
  info: Joi.object().required(),
  channels: Joi.object().required(),
  operations: Joi.object().required(),
}).unknown();

/** The documents, and the page that shows /api/openapi.json with Swagger UI. */
export const documentFiles: readonly AssetFile[] = [
  file('/api/openapi.json', 'openapi.json', 'getOpenApiDocument', 'This document', openApi),
  file('/api/asyncapi.json', 'asyncapi.json', 'getAsyncApiDocument', 'The document of the events', asyncApi),
  file('/api/docs', 'docs.html', 'getDocsPage', 'A page that shows this document'),
  file('/assets/docs.js', 'docs.js', 'getDocsScript', 'The script of that page'),
  file('/assets/docs.css', 'docs.css', 'getDocsStyle', 'The style of that page'),
  file(
    '/assets/swagger-ui.css',
    'swagger-ui.css',
    'getSwaggerUiStyle',
    'The style of what that page is made with',
  ),
  file('/assets/swagger-ui-bundle.js', 'swagger-ui-bundle.js', 'getSwaggerUi', 'What that page is made with'),
];

/** What the pages of others load. */
export const scriptFiles: readonly AssetFile[] = [
  file(
    '/assets/canvass-surveyjs.js',
    'canvass-surveyjs.js',
    'getSurveyJsAdapter',
    'A script that connects SurveyJS forms with data lists',
  ),
];

export const securityTxtOperation = operationOf(
  '/.well-known/security.txt',
  'getSecurityTxt',
  'Where vulnerabilities are reported (RFC 9116); 404 unless `Service:Gateway:SecurityContact` is set',
  { content: { 'text/plain': 'The contact.' } },
  ['not_found'],
);

export const assetOperations: readonly HttpOperation[] = [
  ...documentFiles.map(({ operation }) => operation),
  ...scriptFiles.map(({ operation }) => operation),
  securityTxtOperation,
  consoleConfigurationOperation,
];
