import type { RunningService } from '@canvass/service-kit';
import { eventually, webhookSink, type WebhookSink } from '@canvass/testing';
import { api } from './api';
import { startHarness, endpointAt, newTenant, type Harness, type Tenant } from './harness';

let world: Harness;
let relay: RunningService;
let sink: WebhookSink;
let tenant: Tenant;
let good: string;
let bad: string;
let disabled: string;
beforeAll(async () => {
  world = await startHarness();
  relay = await world.relay({ webHooks: { RetryScheduleSeconds: [3_600] } });
  sink = await webhookSink();
  sink.respond(({ path }) => ({ status: path === '/bad' ? 500 : 200 }));
  tenant = newTenant(world.owner);
  const endpoints = ['/good', '/bad', '/off'].map((path) => endpointAt(sink.url + path));
  [good, bad, disabled] = endpoints.map(({ endpointId }) => endpointId) as [string, string, string];
  tenant.configure('SubmissionCompleted', endpoints);
  await world.publish(tenant.settingsChanged());
  await eventually(() => own().post(`/api/webhooks/endpoints/${disabled}/disable`));
  for (let n = 0; n < 3; n += 1) await world.publish(tenant.event());
  await eventually(async () => {
    expect((await own().get('/api/webhooks/deliveries?status=delivered&total=exact')).total).toBe(3);
    expect((await own().get('/api/webhooks/deliveries?status=failed&total=exact')).total).toBe(3);
    expect((await own().get('/api/webhooks/deliveries?status=pending&total=exact')).total).toBe(3);
  });
});
afterAll(async () => {
  await sink.close();
  await world.close();
});

const own = (roles?: string[]) => api(world, relay.url, tenant, roles);
const get = (path: string, status?: number) => own().get(`/api/webhooks/${path}`, status);

describe('GET /api/webhooks/stats', () => {
  it.each<[string, () => string, object]>([
    ['everything', () => '', { attempts: 6, outcomes: { success: 3, http_5xx: 3 }, delivered: 3 }],
    ['an endpoint', () => `&endpointId=${bad}`, { attempts: 3, outcomes: { http_5xx: 3 }, delivered: 0 }],
    ['an endpoint without attempts', () => `&endpointId=${disabled}`, { attempts: 0, outcomes: {} }],
    ['an event', () => '&eventName=submission_completed', { attempts: 6 }],
    ['another event', () => '&eventName=form_created', { attempts: 0 }],
    ['a form', () => `&formId=${tenant.formId}`, { attempts: 6 }],
    ['another form', () => '&formId=1', { attempts: 0 }],
  ])('counts attempts by outcome: %s', async (_what, filter, total) => {
    for (const bucket of ['1m', '5m', '1h', '1d']) {
      const stats = await get(`stats?bucket=${bucket}${filter()}`);
      expect(stats).toMatchObject({ bucket, total });
      expect(stats.buckets).toHaveLength(60);
      const sum = stats.buckets.reduce(
        (all: number, { attempts }: { attempts: number }) => all + attempts,
        0,
      );
      expect(sum).toBe(stats.total.attempts);
    }
  });

  it('has durations of each phase that took place', async () => {
    const { total } = await get(`stats?endpointId=${good}`);
    const some = { p50: expect.any(Number), p95: expect.any(Number), p99: expect.any(Number) };
    expect(total.milliseconds).toMatchObject({ total: some, firstByte: some, endToEnd: some, tls: null });
    expect((await get(`stats?endpointId=${bad}`)).total.milliseconds.endToEnd).toBeNull();
  });

  it('counts the same before and after the attempts were moved into the statistics', async () => {
    await eventually(async () =>
      expect(
        await world.db.query('select from recent_attempts where tenant_id = $1', [tenant.tenantId]),
      ).toEqual([]),
    );
    expect((await get('stats')).total).toMatchObject({ attempts: 6, outcomes: { success: 3, http_5xx: 3 } });
  });

  it('widens a range to whole buckets', async () => {
    const stats = await get('stats?bucket=1h&from=2026-11-20T09:59:59Z&to=2026-11-20T11:00:01Z');
    expect(stats).toMatchObject({ from: '2026-11-20T09:00:00.000Z', to: '2026-11-20T12:00:00.000Z' });
    expect(stats.buckets.map(({ start }: { start: string }) => start.slice(11, 13))).toEqual([
      '09',
      '10',
      '11',
    ]);
  });

  it.each([
    ['bucket', 'bucket=2h'],
    ['bucket', 'bucket=1h&from=2026-11-01T00:00:00Z&to=2026-12-02T00:00:00Z'],
    ['bucket', 'bucket=1m&from=2026-01-02T00:00:00Z&to=2026-01-02T01:00:00Z'],
    ['to', 'from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z'],
    ['from', 'from=2126-11-02T00:00:00Z'],
    ['endpointId', 'endpointId=x'],
    ['eventName', 'eventName=x'],
  ])('names %s for %s', async (name, query) => {
    const problem = await get(`stats?${query}`, 400);
    expect(problem).toMatchObject({
      errorCode: 'validation_failed',
      errors: { [name]: [expect.any(String)] },
    });
  });

  it('has nothing of another tenant, and needs a permission', async () => {
    const other = api(world, relay.url, newTenant(world.owner));
    expect(await other.get(`/api/webhooks/stats?endpointId=${good}`)).toMatchObject({
      total: { attempts: 0 },
    });
    expect(await other.get('/api/webhooks/backlog')).toMatchObject({ waiting: 0, endpoints: [] });
    expect(await other.get('/api/webhooks/overview')).toMatchObject({ total: { attempts: 0 }, troubled: [] });
    for (const path of ['stats', 'backlog', 'overview'])
      await own(['Respondent']).get(`/api/webhooks/${path}`, 403);
  });
});

it('GET /api/webhooks/backlog counts what waits, by endpoint', async () => {
  const backlog = await get('backlog');
  expect(backlog).toMatchObject({ waiting: 6, due: 0, inFlight: 0, oldestDueAt: null, isExact: true });
  const waiting = { waiting: 3, due: 0, inFlight: 0, oldestDueAt: null };
  expect(backlog.endpoints).toHaveLength(2);
  expect(backlog.endpoints).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ endpointId: bad, state: 'enabled', ...waiting }),
      expect.objectContaining({ endpointId: disabled, state: 'disabled', ...waiting }),
    ]),
  );
});

it('GET /api/webhooks/backlog shows due deliveries of an endpoint that takes none', async () => {
  const slow = newTenant(world.owner);
  const endpoint = endpointAt(`${sink.url}/bad`);
  slow.configure('SubmissionCompleted', [endpoint]);
  await world.publish(slow.event());
  const of = api(world, relay.url, slow);
  await eventually(async () =>
    expect((await of.get('/api/webhooks/deliveries?status=failed&total=exact')).total).toBe(1),
  );
  await world.db.query(
    `update endpoints set resume_at = now() + interval '1 hour', first_due = now() - interval '1 hour' where id = $1`,
    [endpoint.endpointId],
  );
  await world.db.query(`update waiting set due_at = now() - interval '1 minute' where endpoint_id = $1`, [
    endpoint.endpointId,
  ]);
  const found = await of.get('/api/webhooks/backlog');
  expect(found).toMatchObject({ waiting: 1, due: 1, inFlight: 0, oldestDueAt: expect.any(String) });
  expect(found.endpoints).toEqual([
    expect.objectContaining({ endpointId: endpoint.endpointId, due: 1, pausedUntil: expect.any(String) }),
  ]);
});

it('GET /api/webhooks/overview has numbers by time, the backlog and the endpoints in trouble', async () => {
  const overview = await get('overview?bucket=5m');
  expect(overview).toMatchObject({
    bucket: '5m',
    total: { attempts: 6, failed: 3, delivered: 3, dead: 0, failedShare: 0.5 },
    backlog: { waiting: 6, due: 0 },
  });
  expect(overview.buckets).toHaveLength(60);
  // A user disabled the other one.
  expect(overview.troubled).toEqual([
    expect.objectContaining({ endpointId: bad, attempts: 3, failed: 3, failingSince: expect.any(String) }),
  ]);
  await world.db.query(`update endpoints set disabled_reason = 'failing' where id = $1`, [disabled]);
  expect((await get('overview')).troubled).toMatchObject([{ endpointId: disabled }, { endpointId: bad }]);
});
