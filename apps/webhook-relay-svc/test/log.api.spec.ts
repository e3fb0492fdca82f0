import type { RunningService } from '@canvass/service-kit';
import { eventually, walkByKey, webhookSink, type WebhookSink, type KeyPageReply } from '@canvass/testing';
import { api } from './api';
import { startHarness, endpointAt, newId, newTenant, type Tenant, type Harness } from './harness';

let world: Harness;
let relay: RunningService;
let sink: WebhookSink;
let tenant: Tenant;
let endpointIds: string[];
let entityIds: string[];

beforeAll(async () => {
  world = await startHarness();
  relay = await world.relay({ webHooks: { RetryScheduleSeconds: [3_600] } });
  sink = await webhookSink();
  sink.respond(({ path }) => ({ status: path === '/bad' ? 500 : 200 }));
  tenant = newTenant(world.owner);
  const endpoints = [endpointAt(`${sink.url}/good`), endpointAt(`${sink.url}/bad`)];
  endpointIds = endpoints.map(({ endpointId }) => endpointId);
  tenant.configure('SubmissionCompleted', endpoints);
  const events = [tenant.event(), tenant.event(), tenant.event()];
  entityIds = events.map(({ entityId }) => entityId);
  for (const event of events) await world.publish(event);
  await eventually(async () => {
    const log = api(world, relay.url, tenant);
    expect((await log.get('/api/webhooks/deliveries?status=delivered&total=exact')).total).toBe(3);
    expect((await log.get('/api/webhooks/deliveries?status=failed&total=exact')).total).toBe(3);
  });
});
afterAll(async () => {
  await sink.close();
  await world.close();
});

const own = (roles?: string[]) => api(world, relay.url, tenant, roles);

describe('GET /api/webhooks/deliveries', () => {
  it.each<[string, () => string, number]>([
    ['everything', () => '', 6],
    ['endpointId', () => `endpointId=${endpointIds[1]}`, 3],
    ['formId', () => `formId=${tenant.formId}`, 6],
    ['entityId', () => `entityId=${entityIds[0]}`, 2],
    ['eventName', () => 'eventName=submission_completed', 6],
    ['another eventName', () => 'eventName=form_created', 0],
    ['status and endpoint', () => `status=failed&endpointId=${endpointIds[0]}`, 0],
    ['from the past', () => 'from=2026-01-01T00:00:00Z', 6],
    ['to the past', () => 'to=2026-01-01T00:00:00Z', 0],
    ['another form', () => `formId=${newId()}`, 0],
  ])('filters by %s', async (_what, query, total) => {
    const page = await own().get(`/api/webhooks/deliveries?total=exact&${query()}`);
    expect(page).toMatchObject({ total, totalIsExact: true });
    expect(page.items).toHaveLength(total);
  });

  it('is read in both directions, whatever the filter', async () => {
    for (const filter of ['', '&status=failed', `&endpointId=${endpointIds[1]}`, '&from=2026-01-01']) {
      const { items } = await own().get(`/api/webhooks/deliveries?limit=10${filter}`);
      const list = (page: string) => own().get(`/api/webhooks/deliveries?${page}${filter}`);
      const { forward, backward } = await walkByKey(list, 2);
      expect(forward).toEqual(items);
      expect(backward).toEqual(items);
      expect(await list('total=exact')).toMatchObject({ total: items.length, totalIsExact: true });
    }
    await own().get('/api/webhooks/deliveries?after=x', 400);
  });

  it.each([
    'endpointId=x',
    'endpointId=9223372036854775808',
    'status=unknown',
    'eventName=FormCreated',
    'from=yesterday',
    'to=%00',
    'from=%2B275760-09-13T00:00:00Z',
    'page=1',
    'limit=201',
  ])('refuses %s', async (query) => {
    await own().get(`/api/webhooks/deliveries?${query}`, 400);
  });
});

it('shows one delivery with its message and attempts', async () => {
  const { items } = await own().get(`/api/webhooks/deliveries?endpointId=${endpointIds[1]}&limit=1`);
  const detail = await own().get(`/api/webhooks/deliveries/${items[0].id}`);
  expect(detail).toMatchObject({
    status: 'failed',
    attemptCount: 1,
    lastOutcome: 'http_5xx',
    lastStatusCode: 500,
    eventName: 'submission_completed',
    endpointId: endpointIds[1],
    nextAttemptAt: expect.stringMatching(/Z$/),
    finishedAt: null,
  });
  expect(JSON.parse(detail.messageBody)).toMatchObject({ Id: detail.messageId });
  expect(detail.attempts).toEqual([
    expect.objectContaining({
      number: 1,
      outcome: 'http_5xx',
      statusCode: 500,
      url: `${sink.url}/bad`,
      milliseconds: expect.objectContaining({ total: expect.any(Number), firstByte: expect.any(Number) }),
    }),
  ]);
});

it('shows the newest hundred attempts of a delivery that was resent many times', async () => {
  const { items } = await own().get(`/api/webhooks/deliveries?endpointId=${endpointIds[0]}&limit=1`);
  const { id } = items[0];
  await world.db.query(
    `update deliveries set attempt_count = 150, attempts = array(
       select json_build_object('number', n, 'startedAt', '2026-11-20T09:34:12.480Z', 'outcome', 'timeout', 'statusCode', null,
                                'error', 'late', 'url', 'http://x', 'remoteAddress', null,
                                'milliseconds', json_build_object('dns', null, 'connect', null, 'tls', null,
                                                                  'firstByte', null, 'total', 1),
                                'requestHeaders', json_build_object(), 'responseBody', '', 'responseTruncated', false)
       from generate_series(1, 150) n order by n)
     where tenant_id = $1 and id = $2`,
    [tenant.tenantId, id],
  );
  await own().post(`/api/webhooks/deliveries/${id}/resend`, 202);
  await eventually(async () => {
    const { attempts } = await own().get(`/api/webhooks/deliveries/${id}`);
    expect(attempts.map(({ number }: { number: number }) => number)).toEqual(
      Array.from({ length: 100 }, (_, n) => n + 52),
    );
  });
});

it('lists endpoints by form and state', async () => {
  const { items } = await own().get('/api/webhooks/endpoints');
  const page = (await own().get(
    '/api/webhooks/endpoints?state=enabled&limit=1&total=exact',
  )) as KeyPageReply<object>;
  expect(page).toMatchObject({ items: [items[0]], previous: null, total: 2 });
  expect(await own().get(`/api/webhooks/endpoints?state=enabled&limit=1&after=${page.next}`)).toMatchObject({
    items: [items[1]],
    next: null,
  });
  expect(await own().get(`/api/webhooks/endpoints?limit=1&formId=${tenant.formId}`)).toMatchObject({
    items: [],
  });
  await own().get('/api/webhooks/endpoints?after=x', 400);
  const failing = await own().get(`/api/webhooks/endpoints/${endpointIds[1]}`);
  expect(failing).toMatchObject({ failingSince: expect.any(String), events: ['submission_completed'] });
});

describe('access', () => {
  const routes = async (): Promise<['get' | 'post', string][]> => {
    const { items } = await own().get('/api/webhooks/deliveries?limit=1');
    const delivery = `/api/webhooks/deliveries/${items[0].id}`;
    const endpoint = `/api/webhooks/endpoints/${endpointIds[0]}`;
    return [
      ['get', delivery],
      ['post', `${delivery}/resend`],
      ['get', endpoint],
      ['get', `${endpoint}/secret`],
      ['post', `${endpoint}/enable`],
      ['post', `${endpoint}/disable`],
    ];
  };

  it("hides everything of a tenant from another's administrator", async () => {
    const other = api(world, relay.url, newTenant(world.owner));
    for (const [method, path] of await routes()) await other[method](path, 404);
    expect(await other.get('/api/webhooks/deliveries?total=exact')).toMatchObject({ total: 0, items: [] });
    expect(await other.get(`/api/webhooks/deliveries?endpointId=${endpointIds[0]}`)).toMatchObject({
      items: [],
    });
    expect(await other.get('/api/webhooks/endpoints?total=exact')).toMatchObject({ total: 0, items: [] });
    expect(await own().get(`/api/webhooks/endpoints/${endpointIds[0]}`)).toMatchObject({ state: 'enabled' });
  });

  it('needs WebHooks.View to read and WebHooks.Manage for the rest', async () => {
    for (const [method, path] of await routes()) {
      await own([])[method](path, 403);
      if (method === 'post' || path.endsWith('/secret')) await own(['Viewer'])[method](path, 403);
    }
    const answer = await fetch(`${relay.url}/api/webhooks/deliveries`);
    expect(answer.status).toBe(401);
  });

  it('returns 404 for unknown ids', async () => {
    for (const id of ['0', 'x', '9223372036854775808']) {
      await own().get(`/api/webhooks/deliveries/${id}`, 400);
      await own().post(`/api/webhooks/endpoints/${id}/enable`, 400);
    }
    await own().get('/api/webhooks/deliveries/9223372036854775807', 404);
  });
});

it('reports its health and its metrics', async () => {
  await eventually(async () => {
    const answer = await fetch(`${relay.url}/health/detail`);
    const report = (await answer.json()) as { status: string; checks: { name: string }[] };
    expect(report).toMatchObject({ status: 'Healthy' });
    const names = report.checks.map(({ name }) => name).sort();
    expect(names).toEqual(['database', 'outbox', 'rabbitmq', 'revocations', 'service-self']);
  });
  const text = await (await fetch(`${relay.internalUrl}/metrics`)).text();
  const metrics = text
    .split('\n')
    .filter(
      (line) => /^webhook_(attempts|deliveries|end_to_end_seconds_count)/.test(line) && !line.endsWith(' 0'),
    );
  expect(metrics.map((line) => line.replace(/,?service="[^"]*"/, '')).sort()).toEqual([
    'webhook_attempts_total{outcome="http_5xx"} 3',
    'webhook_attempts_total{outcome="success"} 4',
    'webhook_deliveries_total{status="delivered"} 4',
    'webhook_deliveries_waiting{} 3',
    'webhook_end_to_end_seconds_count{} 4',
  ]);
});
