import type { RunningService } from '@canvass/service-kit';
import { eventually, webhookSink, type WebhookSink } from '@canvass/testing';
import { api } from './api';
import { startHarness, endpointAt, newTenant, type Tenant, type Harness } from './harness';
import { startRelay } from './proofs/relays';

let world: Harness;
let relay: RunningService;
let sink: WebhookSink;
let tenant: Tenant;
let endpoints: ReturnType<typeof endpointAt>[];

beforeAll(async () => {
  world = await startHarness();
  relay = await world.relay({ webHooks: { RetryScheduleSeconds: [] } });
});
afterAll(() => world.close());
beforeEach(async () => {
  sink = await webhookSink();
  sink.respond(({ path }) => ({ status: path === '/a' ? 503 : 404 }));
  tenant = newTenant(world.owner);
  endpoints = [endpointAt(`${sink.url}/a`), endpointAt(`${sink.url}/b`)];
  await configure(endpoints);
});
afterEach(() => sink.close());

const own = (roles?: string[]) => api(world, relay.url, tenant, roles);
const recoveries = '/api/webhooks/recoveries';
type Listed = { items: { id: string; endpointId: string; messageId: string }[]; total: number };
const deliveries = (query: string): Promise<Listed> =>
  own().get(`/api/webhooks/deliveries?limit=200&total=exact&${query}`) as Promise<Listed>;
const total = async (query: string) => (await deliveries(query)).total;

async function configure(next: typeof endpoints): Promise<void> {
  tenant.configure('SubmissionCompleted', next);
  await world.publish(tenant.settingsChanged());
  for (const { endpointId } of next)
    await eventually(() => own().get(`/api/webhooks/endpoints/${endpointId}`));
}

/** Messages whose deliveries to both endpoints are dead. */
async function deadMessages(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await world.publish(tenant.event());
  await eventually(async () => expect(await total('status=dead')).toBe(2 * count));
}

const ended = (id: string) =>
  eventually(async () => {
    const job = await own().get(`${recoveries}/${id}`);
    expect(job.status).not.toBe('running');
    return job;
  });

it('plans, and sends again what the filter matches, and no more', async () => {
  await deadMessages(3);
  const body = { mode: 'failed', filter: { statusCode: '500-599' }, reason: 'It was down.' };
  const plan = await own().post(`${recoveries}?dryRun=true`, 200, body);
  const [first] = endpoints;
  expect(plan).toEqual({
    count: 3,
    skipped: 0,
    byEndpoint: [{ endpointId: first!.endpointId, url: `${sink.url}/a`, state: 'enabled', count: 3 }],
    byOutcome: [{ outcome: 'http_5xx', count: 3 }],
    oldest: expect.any(String),
    newest: expect.any(String),
    sample: (await deliveries(`endpointId=${first!.endpointId}`)).items,
  });
  expect((await own().get(recoveries)).items).toEqual([]);

  sink.respond(() => ({ status: 200 }));
  const { id } = await own().post(recoveries, 202, body);
  expect(await ended(id)).toMatchObject({
    mode: 'failed',
    status: 'done',
    total: 3,
    recovered: 3,
    delivered: 3,
    failedAgain: 0,
    reason: 'It was down.',
  });
  expect([await total('status=delivered'), await total('status=dead')]).toEqual([3, 3]);
  expect((await own().get(recoveries)).items).toEqual([await own().get(`${recoveries}/${id}`)]);
});

it('counts what failed again, and skips a disabled endpoint', async () => {
  await deadMessages(2);
  await own().post(`/api/webhooks/endpoints/${endpoints[1]!.endpointId}/disable`);
  const body = { mode: 'failed', filter: {} };
  expect(await own().post(`${recoveries}?dryRun=true`, 200, body)).toMatchObject({ count: 2, skipped: 2 });
  const { id } = await own().post(recoveries, 202, body);
  expect(await ended(id)).toMatchObject({ recovered: 2, delivered: 0, failedAgain: 2, skipped: 2 });
  const filter = { endpointId: endpoints[1]!.endpointId };
  await own().post(recoveries, 409, { mode: 'failed', filter });
  await own().post(`${recoveries}?dryRun=true`, 409, { mode: 'all', filter });
});

it('sends delivered ones again, and single deliveries', async () => {
  await deadMessages(2);
  sink.respond(() => ({ status: 200 }));
  const [chosen] = (await deliveries('')).items;
  const one = await own().post(recoveries, 202, { mode: 'failed', deliveryIds: [chosen!.id] });
  expect(await ended(one.id)).toMatchObject({ filter: null, total: 1, recovered: 1, delivered: 1 });
  const before = sink.requests.length;
  const filter = { status: ['delivered'] };
  const { id } = await own().post(recoveries, 202, { mode: 'all', filter });
  expect(await ended(id)).toMatchObject({ total: 1, recovered: 1, delivered: 1 });
  expect(sink.requests).toHaveLength(before + 1);
  const nothing = await own().post(recoveries, 202, { mode: 'failed', filter });
  expect(await ended(nothing.id)).toMatchObject({ total: 0, recovered: 0 });
});

it('makes deliveries for an endpoint that was added later, once', async () => {
  await deadMessages(3);
  sink.respond(() => ({ status: 200 }));
  const added = endpointAt(`${sink.url}/added`);
  await configure([...endpoints, added]);
  const toAdded = () => sink.requests.filter(({ path }) => path === '/added');
  const body = { mode: 'missing', filter: { endpointId: added.endpointId } };
  expect(await own().post(`${recoveries}?dryRun=true`, 200, body)).toMatchObject({
    count: 3,
    byEndpoint: [{ endpointId: added.endpointId, state: 'enabled', count: 3 }],
    byOutcome: [{ outcome: null, count: 3 }],
  });
  const { id } = await own().post(recoveries, 202, body);
  expect(await ended(id)).toMatchObject({ status: 'done', total: 3, recovered: 3, delivered: 3 });
  const messages = (await deliveries(`endpointId=${endpoints[0]!.endpointId}`)).items;
  expect(new Set(toAdded().map(({ headers }) => headers['webhook-id']))).toEqual(
    new Set(messages.map(({ messageId }) => messageId)),
  );
  const again = await own().post(recoveries, 202, body);
  expect(await ended(again.id)).toMatchObject({ total: 0, recovered: 0 });
  expect(toAdded()).toHaveLength(3);
});

it('continues in another process after its process was killed', async () => {
  const waiting = 40;
  sink.respond(() => ({ status: 404 })); // does not pause the endpoints
  for (let n = 0; n < waiting; n += 1) await world.publish(tenant.event());
  await eventually(async () => expect(await total('status=dead')).toBe(2 * waiting), { timeoutMs: 60_000 });
  await relay.stop();
  // A lock on one delivery holds the step, so that the process is killed within it.
  const [held] = await world.db.query<{ id: string }>(
    'select id from deliveries where tenant_id = $1 order by id offset 50 limit 1',
    [tenant.tenantId],
  );
  sink.respond(() => ({ status: 200 }));
  const killed = await startRelay(world, { webHooks: { RetryScheduleSeconds: [] } });
  const session = await world.db.openSession('hold');
  await session.query('begin');
  await session.query('select from deliveries where tenant_id = $1 and id = $2 for update', [
    tenant.tenantId,
    held!.id,
  ]);
  const calls = api(world, killed.url, tenant);
  const { id } = await calls.post(recoveries, 202, { mode: 'failed', filter: {} });
  await eventually(async () => {
    const [step] = await world.db.query<{ isHeld: boolean }>(
      `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')
         as "isHeld"`,
    );
    expect(step).toEqual({ isHeld: true });
  });
  process.kill(killed.pid, 'SIGKILL');
  await killed.ended;
  await session.query('rollback');
  await session.end();
  relay = await world.relay({ webHooks: { RetryScheduleSeconds: [] } });
  expect(await ended(id)).toMatchObject({
    status: 'done',
    total: 2 * waiting,
    recovered: 2 * waiting,
    delivered: 2 * waiting,
    skipped: 0,
  });
  const ids = sink.requests.slice(2 * waiting).map(({ headers, path }) => `${path} ${headers['webhook-id']}`);
  expect(ids).toHaveLength(2 * waiting);
  expect(new Set(ids).size).toBe(2 * waiting);
}, 180_000);

it('is listed among the jobs, whose cancel ends it, too', async () => {
  await deadMessages(1);
  const { id } = await own().post(recoveries, 202, { mode: 'failed', filter: {} });
  await ended(id);
  const job = await own().get(`/api/webhooks/jobs/${id}`);
  expect(job).toMatchObject({ kind: 'webhook_recovery', state: 'done', total: 2, counts: { recovered: 2 } });
  expect((await own().get('/api/webhooks/jobs?kind=webhook_recovery&state=done')).items).toEqual([job]);
  expect((await own().get('/api/webhooks/jobs?state=running&limit=5')).items).toEqual([]);
  expect(await own().post(`/api/webhooks/jobs/${id}/cancel`)).toEqual(job);
});

it('belongs to the tenant and needs WebHooks.Manage', async () => {
  await deadMessages(1);
  const [delivery] = (await deliveries('')).items;
  const { id } = await own().post(recoveries, 202, { mode: 'failed', filter: {} });
  const other = api(world, relay.url, newTenant(world.owner));
  for (const path of [`${recoveries}/${id}`, `/api/webhooks/jobs/${id}`]) {
    await other.get(path, 404);
    await other.post(`${path}/cancel`, 404);
    await own(['Editor']).get(path);
    await own(['Editor']).post(`${path}/cancel`, 403);
    await own([]).get(path, 403);
  }
  await own(['Editor']).post(recoveries, 403, { mode: 'failed', filter: {} });
  await own([]).get(recoveries, 403);
  expect((await other.get(recoveries)).items).toEqual([]);
  const foreign = { mode: 'all', deliveryIds: [delivery!.id] };
  expect(await other.post(`${recoveries}?dryRun=true`, 200, foreign)).toMatchObject({ count: 0, sample: [] });
  await other.post(recoveries, 404, { mode: 'missing', filter: { endpointId: endpoints[0]!.endpointId } });
});

it.each([
  {},
  { mode: 'failed' },
  { mode: 'some', filter: {} },
  { mode: 'failed', filter: {}, deliveryIds: ['1'] },
  { mode: 'failed', deliveryIds: [] },
  { mode: 'failed', filter: { text: 'abc' } },
  { mode: 'failed', filter: { statusCode: 'x' } },
  { mode: 'missing', filter: {} },
  { mode: 'missing', filter: { endpointId: '1', status: ['dead'] } },
  { mode: 'failed', filter: {}, reason: '' },
])('refuses %j', async (body) => void (await own().post(recoveries, 400, body)));
