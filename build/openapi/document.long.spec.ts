import { submissionExample, webhookAlert, webhookEvents } from '@canvass/contracts';
import { Spectral, type RulesetDefinition } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import addFormats from 'ajv-formats';
import Ajv2020 from 'ajv/dist/2020';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { endpointTables } from '../routes/endpoint-tables';
import type { OpenApiDocument } from './document';
import { pathTemplateOf } from './operation';
import { gatewayOperations, publicDocument, webhookDocument } from './public-document';
import { webhookEventTypesOf } from './webhooks';

/** The document as it is served. */
const root = path.join(__dirname, '../..');
const dir = mkdtempSync(path.join(os.tmpdir(), 'canvass-openapi-'));
let document: OpenApiDocument;
const webhooks = webhookDocument();
const documents = ['openapi.json', 'openapi-webhooks.json'];
const pathOf = (name: string) => path.join(dir, name);

beforeAll(async () => {
  document = await publicDocument();
  documents.forEach((name, n) => writeFileSync(pathOf(name), JSON.stringify([document, webhooks][n])));
});
afterAll(() => rmSync(dir, { recursive: true }));

function run(bin: string, ...options: string[]) {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(root, 'node_modules', bin), ...options],
    { cwd: root, env, encoding: 'utf8' },
  );
  return { status, output: stdout + stderr };
}

it.each(documents)('has no fault and no warning for Redocly: %s', (name) => {
  const { status, output } = run('@redocly/cli/bin/cli.js', 'lint', '--format=stylish', pathOf(name));
  expect(output).not.toMatch(/\d+ (error|warning)s?\b/);
  expect(output).toMatch(/is valid/i);
  expect(status).toBe(0);
});

it('has no fault and no warning for Spectral', async () => {
  const spectral = new Spectral();
  // The type of `oas` lacks what `extends` asks for, although it is a ruleset.
  spectral.setRuleset({ extends: [[oas as unknown as RulesetDefinition, 'recommended']] });
  const results = [...(await spectral.run(document)), ...(await spectral.run(webhooks))];
  expect(results.map(({ code, path: at, message }) => `${code} at ${at.join('.')}: ${message}`)).toEqual([]);
});

it.each(documents)('is a valid OpenAPI 3.1 document for a second validator: %s', (name) => {
  const { status, output } = run('@seriousme/openapi-schema-validator/bin/validate-api-cli.js', pathOf(name));
  expect([status, JSON.parse(output)]).toEqual([0, { valid: true }]);
});

it('has every operation of the gateway, every public one of every service, and no internal one', async () => {
  const tables = [...(await endpointTables()).values()];
  const own = await gatewayOperations();
  const offered = [...own, ...tables.flatMap((table) => table.public)];
  const described = Object.entries(document.paths).flatMap(([template, item]) =>
    Object.keys(item).map((method) => `${method} ${template}`),
  );
  expect(described.sort()).toEqual(offered.map((one) => `${one.method} ${pathTemplateOf(one.path)}`).sort());
  const internal = tables.flatMap((table) => table.internal.map((one) => pathTemplateOf(one.path)));
  expect(internal.filter((template) => document.paths[template] !== undefined)).toEqual([]);
  expect(own.map(({ path: at }) => at)).toEqual(
    expect.arrayContaining([
      '/health',
      '/health/detail',
      '/health/ui',
      '/alive',
      '/ready',
      '/api/openapi.json',
    ]),
  );
});

it('has a summary and a description of every operation and of every webhook', () => {
  const requests = Object.values(webhooks['webhooks'] as typeof document.paths);
  const withoutText = [...Object.values(document.paths), ...requests]
    .flatMap(
      (item) => Object.values(item) as { operationId: string; summary?: string; description?: string }[],
    )
    .filter(({ summary, description }) => !summary?.trim() || !description?.trim())
    .map(({ operationId }) => operationId);
  expect(withoutText).toEqual([]);
});

it('says of every operation what it answers, success and problems alike', async () => {
  const own = new Set((await gatewayOperations()).map(({ operationId }) => operationId));
  const ofAll = ['400', '431', 'default'];
  const ofServices = ['408', '413', '429', '502', '503', '504'];
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item) as { operationId: string; responses: object }[]) {
      const statuses = Object.keys(operation.responses);
      const { operationId } = operation;
      expect([operationId, statuses.some((status) => status.startsWith('2'))]).toEqual([operationId, true]);
      expect(statuses).toEqual(expect.arrayContaining(ofAll));
      if (!own.has(operationId)) expect(statuses).toEqual(expect.arrayContaining(ofServices));
      expect(statuses).not.toContain('422');
    }
  }
});

it('has an example of every request body that the operation accepts', async () => {
  const tables = [...(await endpointTables()).values()];
  const withBody = tables.flatMap((table) => table.public).filter(({ body }) => body !== undefined);
  const rejected = withBody.flatMap(({ method, path: at, body }) => {
    const operation = document.paths[pathTemplateOf(at)]?.[method] as {
      requestBody: { content: Record<string, { example: unknown }> };
    };
    const { example } = operation.requestBody.content['application/json']!;
    const { error } = body!.validate(example);
    return error === undefined ? [] : [`${method} ${at}: ${error.message}`];
  });
  expect(withBody.length).toBeGreaterThan(30);
  expect(rejected).toEqual([]);
});

it('gives each event type a schema that stands alone and fits its example', () => {
  const ajv = addFormats(new Ajv2020({ strict: false }));
  const { items } = webhookEventTypesOf(webhooks) as { items: { schema: object; example: object }[] };
  expect(items).toMatchObject(
    Object.values(webhookEvents).map(({ settingsName: name, eventName, action, entity }) => ({
      name,
      eventName,
      action,
      entity,
      example: { EventName: eventName, Action: action },
    })),
  );
  for (const { schema, example } of items) {
    const fits = ajv.compile(schema);
    expect([fits(example), fits.errors]).toEqual([true, null]);
    expect(fits({ ...example, Payload: {} })).toBe(false);
  }
});

it('has the request of every webhook, with an example', () => {
  const requests = webhooks['webhooks'] as Record<string, { post: { requestBody: object } }>;
  const sent = [...Object.values(webhookEvents), webhookAlert];
  expect(Object.keys(requests)).toEqual(sent.map(({ eventName }) => eventName));
  expect(requests['submission_completed']?.post.requestBody).toMatchObject({
    content: {
      'application/json': {
        schema: {
          properties: {
            EventName: { const: 'submission_completed' },
            Payload: {
              allOf: [
                { required: ['submissionId', 'formId', 'tenantId', 'revision'] },
                { $ref: '#/components/schemas/Submission' },
              ],
            },
          },
        },
        example: {
          EventName: 'submission_completed',
          Action: 'updated',
          Payload: { submissionId: submissionExample.id, ...submissionExample },
        },
      },
    },
  });
});
