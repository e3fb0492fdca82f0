import type { RunningService } from '@canvass/service-kit';
import { webhookSink, type WebhookSink } from '@canvass/testing';
import { api } from './api';
import { newTenant, startHarness, type Harness, type Tenant } from './harness';

const path = '/api/webhooks/endpoints/try';

let world: Harness;
let relay: RunningService;
let sink: WebhookSink;
let tenant: Tenant;
beforeAll(async () => {
  world = await startHarness();
  relay = await world.relay();
});
afterAll(() => world.close());
beforeEach(async () => {
  sink = await webhookSink();
  tenant = newTenant(world.owner);
});
afterEach(() => sink.close());

const endpointWith = (members: object = {}) => ({ Url: `${sink.url}/hook`, ...members });
const trialOf = (endpoint: object, event = 'SubmissionCompleted') => ({ event, endpoint });

it('sends the example once, as the endpoint wants it, and stores nothing', async () => {
  sink.respond(({ headers }) => ({ status: 202, body: `got ${String(headers['x-api-key'])}` }));
  const admin = api(world, relay.url, tenant);
  const endpoint = endpointWith({
    Authentication: { Type: 'ApiKey', ApiKeyHeader: 'X-Api-Key', ApiKey: 'key-4711' },
    Headers: { 'X-Extra': 'extra' },
    Payload: 'ids',
    Format: 'standard',
  });
  const answer = (await admin.post(path, 200, trialOf(endpoint, 'SubmissionUpdated'))) as object;
  expect(answer).toEqual({
    outcome: 'success',
    statusCode: 202,
    error: null,
    totalMs: expect.any(Number) as number,
    responseBody: 'got ********',
  });
  expect(sink.requests).toHaveLength(1);
  const { headers, body } = sink.requests[0]!;
  expect(headers).toMatchObject({
    'x-api-key': 'key-4711',
    'x-extra': 'extra',
    'x-service-event': 'submission_updated',
    'webhook-signature': expect.stringMatching(/^v1,/) as string,
  });
  const message = JSON.parse(body.toString()) as { data: Record<string, unknown> };
  expect(message).toMatchObject({ type: expect.stringMatching(/^submission/) as string });
  expect(message.data).toMatchObject({ tenantId: tenant.tenantId, isTestEvent: true });
  expect(message.data).not.toHaveProperty('jsonData');
  for (const table of ['messages', 'delivery_log', 'endpoints', 'waiting'])
    expect([table, await rowsOf(table)]).toEqual([table, 0]);
  const [audited] = await world.db.query<{ action: string; after: object }>(
    'select action, after from audit where tenant_id = $1',
    [tenant.tenantId],
  );
  expect(audited).toEqual({
    action: 'webhook_endpoint.tried',
    after: { host: new URL(sink.url).host, eventName: 'submission_updated' },
  });
});

const rowsOf = async (table: string): Promise<number> =>
  (await world.db.query(`select from ${table} where tenant_id = $1`, [tenant.tenantId])).length;

it('answers what went wrong: a status, no connection', async () => {
  sink.respond(() => ({ status: 503, body: 'x'.repeat(5_000) }));
  const admin = api(world, relay.url, tenant);
  expect(await admin.post(path, 200, trialOf(endpointWith()))).toMatchObject({
    outcome: 'http_5xx',
    statusCode: 503,
    responseBody: 'x'.repeat(1_024),
  });
  await sink.close();
  expect(await admin.post(path, 200, trialOf(endpointWith()))).toMatchObject({
    outcome: 'connection_refused',
    statusCode: null,
    error: expect.any(String) as string,
  });
  sink = await webhookSink();
});

it('asks for a token of its own where the endpoint has OAuth2', async () => {
  sink.respond(({ path: at }) => ({
    status: 200,
    body: at === '/token' ? '{"access_token":"t-1"}' : 'got t-1',
  }));
  const Authentication = {
    Type: 'OAuth2',
    TokenUrl: `${sink.url}/token`,
    ClientId: 'canvass',
    ClientSecret: 'secret-4711',
  };
  const admin = api(world, relay.url, tenant);
  expect(await admin.post(path, 200, trialOf(endpointWith({ Authentication })))).toMatchObject({
    statusCode: 200,
    responseBody: 'got ********',
  });
  expect(sink.requests.map(({ path: at }) => at)).toEqual(['/token', '/hook']);
  expect(sink.requests[1]!.headers['authorization']).toBe('Bearer t-1');
});

it.each<[string, object, string]>([
  ['an address that webhooks may not reach', { Url: 'http://169.254.169.254/' }, 'endpoint.Url'],
  ['a reserved header', { Headers: { Host: 'elsewhere' } }, 'endpoint.Headers'],
  ['a masked secret', { Headers: { 'X-Key': '********' } }, 'endpoint'],
])('refuses %s', async (_, members, field) => {
  const admin = api(world, relay.url, tenant);
  const { errors } = (await admin.post(path, 400, trialOf(endpointWith(members)))) as {
    errors: Record<string, string[]>;
  };
  expect(Object.keys(errors)).toEqual([field]);
  expect(sink.requests).toEqual([]);
});

it('needs the permission of settings, and has a limit by tenant', async () => {
  const trial = trialOf(endpointWith());
  await api(world, relay.url, tenant, ['Viewer']).post(path, 403, trial);
  const admin = api(world, relay.url, tenant);
  for (let n = 0; n < 60; n += 1) await admin.post(path, 200, trial);
  await admin.post(path, 429, trial);
  await api(world, relay.url, newTenant(world.owner)).post(path, 200, trial);
  expect(sink.requests).toHaveLength(61);
});
