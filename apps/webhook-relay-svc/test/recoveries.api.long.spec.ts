import { eventExample } from '@canvass/contracts';
import { createMetrics, silentLogger, type RunningService } from '@canvass/service-kit';
import { eventually, webhookSink, type WebhookSink } from '@canvass/testing';
import { createJobWorker } from '@canvass/jobs';
import { recoveryKind, recoveryStep } from '../src/recoveries';
import { api } from './api';
import { startHarness, endpointAt, newId, newTenant, type Tenant, type Harness } from './harness';

let world: Harness;
let relay: RunningService;
let sink: WebhookSink;
let tenant: Tenant;
let endpointId: string;

beforeAll(async () => {
  world = await startHarness();
  relay = await world.relay({ webHooks: { RetryScheduleSeconds: [0.05] } });
});
afterAll(() => world.close());
beforeEach(async () => {
  sink = await webhookSink();
  tenant = newTenant(world.owner);
  const endpoint = endpointAt(sink.url);
  endpointId = endpoint.endpointId;
  tenant.configure('SubmissionCompleted', [endpoint]);
  await world.publish(tenant.settingsChanged());
  await eventually(() => own().get(`/api/webhooks/endpoints/${endpointId}`));
});
afterEach(() => sink.close());

const own = (roles?: string[]) => api(world, relay.url, tenant, roles);
const path = () => `/api/webhooks/endpoints/${endpointId}`;
const ever = { since: '2026-01-01T00:00:00Z' };

async function total(status: string): Promise<number> {
  return (await own().get(`/api/webhooks/deliveries?status=${status}&total=exact`)).total;
}

/** Deliveries that used up their schedule. */
async function deadOnes(count: number): Promise<void> {
  sink.respond(() => ({ status: 400 }));
  const before = await total('dead');
  for (let n = 0; n < count; n += 1) await world.publish(tenant.event());
  await eventually(async () => expect(await total('dead')).toBe(before + count));
}

const finished = (id: string) =>
  eventually(async () => {
    const job = await own().get(`/api/webhooks/recoveries/${id}`);
    expect(job.status).not.toBe('running');
    return job;
  });

describe('recover', () => {
  it('resends all failed deliveries and reports its progress', async () => {
    await deadOnes(7);
    sink.respond(() => ({ status: 200 }));
    const ids = new Set(sink.requests.map(({ headers }) => headers['webhook-id']));
    const asked = await own().post(`${path()}/recover`, 202, ever);
    expect(asked).toEqual({
      id: expect.stringMatching(/^\d+$/),
      endpointId,
      since: '2026-01-01T00:00:00.000Z',
      mode: 'failed',
      filter: { endpointId, from: '2026-01-01T00:00:00.000Z' },
      status: expect.stringMatching(/running|done/),
      total: 7,
      recovered: expect.any(Number),
      delivered: expect.any(Number),
      failedAgain: 0,
      skipped: 0,
      reason: null,
      startedBy: expect.objectContaining({ subject: expect.any(String) }),
      error: null,
      createdAt: expect.any(String),
      finishedAt: asked.status === 'running' ? null : expect.any(String),
    });
    expect(await finished(asked.id)).toMatchObject({
      status: 'done',
      recovered: 7,
      total: 7,
      delivered: 7,
      failedAgain: 0,
    });
    await eventually(async () => expect(await total('delivered')).toBe(7));
    const resent = sink.requests.slice(-7).map(({ headers }) => headers['webhook-id']!);
    expect(new Set(resent)).toEqual(ids);

    // Again: nothing has failed since, so nothing is sent.
    const again = await own().post(`${path()}/recover`, 202, ever);
    expect(await finished(again.id)).toMatchObject({ status: 'done', recovered: 0, total: 0 });
    expect(sink.requests).toHaveLength(7 * 3);
  });

  it('takes only deliveries of that endpoint since the given time', async () => {
    await deadOnes(2);
    await world.db.query(`select pg_sleep(0.01)`);
    const [clock] = await world.db.query<{ now: Date }>('select clock_timestamp() as now');
    const since = clock!.now.toISOString();
    await deadOnes(1);
    sink.respond(() => ({ status: 200 }));
    const { id } = await own().post(`${path()}/recover`, 202, { since });
    expect(await finished(id)).toMatchObject({ recovered: 1, total: 1 });
    await eventually(async () => expect(await total('delivered')).toBe(1));
    expect(await total('dead')).toBe(2);
  });

  it('is created once for one Idempotency-Key', async () => {
    const me = own(); // a key is the caller's
    const key = { 'idempotency-key': 'a-key' };
    const one = await me.post(`${path()}/recover`, 202, ever, key);
    expect(await me.post(`${path()}/recover`, 202, ever, key)).toEqual(one);
    await me.post(`${path()}/recover`, 409, { since: '2026-02-01T00:00:00Z' }, key);
    const { items } = await me.get('/api/webhooks/recoveries');
    expect(items.map(({ id }: { id: string }) => id)).toEqual([one.id]);
  });

  it('continues after a restart, in batches, in any replica, and can be cancelled', async () => {
    await deadOnes(5);
    await relay.stop();
    const restart = async () => {
      relay = await world.relay({ webHooks: { RetryScheduleSeconds: [60] } });
      return api(world, relay.url, tenant);
    };
    const startedBy = await restart();
    const recovered = `(counts->>'recovered')::integer`;
    await world.db.query(
      `alter table jobs add constraint hold check (coalesce(${recovered}, 0) <= 2) not valid`,
    );
    const { id } = await startedBy.post(`${path()}/recover`, 202, ever);
    const job = async () =>
      (
        await world.db.query(
          `select failures > 0 as failed, ${recovered} as recovered from jobs where id = $1`,
          [id],
        )
      )[0];
    await eventually(async () => expect(await job()).toEqual({ failed: true, recovered: null }));
    expect(await startedBy.get(`/api/webhooks/recoveries/${id}`)).toMatchObject({
      status: 'running',
      recovered: 0,
    });
    await relay.stop();
    await world.db.query('update jobs set next_step_at = now() where id = $1', [id]);
    const worker = createJobWorker({
      db: world.db,
      logger: silentLogger,
      metrics: createMetrics('test', { processMetrics: false }),
      kinds: { [recoveryKind]: recoveryStep(2) },
      revocations: { assertNotRevoked: () => undefined, isCurrent: () => true },
      keptSeconds: 3_600,
      onStep: () => undefined,
    });
    worker.start();
    await eventually(async () => expect(await job()).toMatchObject({ recovered: 2 }));
    const again = await restart();
    expect(await again.post(`/api/webhooks/recoveries/${id}/cancel`)).toMatchObject({
      status: 'cancelled',
      recovered: 2,
      finishedAt: expect.any(String),
    });
    await world.db.query('alter table jobs drop constraint hold');
    worker.wake();
    expect(await total('dead')).toBe(3);
    const rest = await again.post(`${path()}/recover`, 202, ever);
    expect(await finished(rest.id)).toMatchObject({ status: 'done' });
    expect(await total('dead')).toBe(0);
    expect(await again.post(`/api/webhooks/recoveries/${id}/cancel`)).toMatchObject({
      status: 'cancelled',
      recovered: 2,
    });
    await worker.stop();
    await relay.stop();
    relay = await world.relay({ webHooks: { RetryScheduleSeconds: [0.05] } });
  });

  it('ends with the rights of the account that started it', async () => {
    await deadOnes(1);
    const hold = `add constraint held check (state <> 'done') not valid`;
    await world.db.query(`alter table jobs ${hold}`);
    const starter = `Bearer ${world.issuer.token({ tid: tenant.tenantId, roles: ['Admin'], sub: '801', ver: 1 })}`;
    const { id } = await own().post(`${path()}/recover`, 202, ever, { authorization: starter });
    world.issuer.revoke({ kind: 'user', subject: '801', minVersion: 2 });
    expect(await finished(id)).toMatchObject({
      status: 'failed',
      error: 'The account that started this job lost its rights.',
    });
    await world.db.query('alter table jobs drop constraint held');
    expect(await total('dead')).toBe(1);
  });

  it('is rejected for an endpoint that is disabled, removed or unknown', async () => {
    await own().post(`${path()}/disable`);
    await own().post(`${path()}/recover`, 409, ever);
    await own().post(`/api/webhooks/endpoints/${newId()}/recover`, 404, ever);
    tenant.configure('SubmissionCompleted', []);
    await world.publish(tenant.settingsChanged());
    await eventually(async () => expect(await own().get(path())).toMatchObject({ state: 'removed' }));
    await own().post(`${path()}/recover`, 409, ever);
    await own().post(`${path()}/test`, 409);
  });

  it.each([
    {},
    { since: 'yesterday' },
    { since: 5 },
    { since: '+275760-09-13T00:00:00Z' },
    { ...ever, to: 1 },
  ])('refuses %j', async (body) => void (await own().post(`${path()}/recover`, 400, body)));

  it.each(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])('takes %s', async (since) => {
    const { id } = await own().post(`${path()}/recover`, 202, { since });
    expect(await finished(id)).toMatchObject({ status: 'done', total: 0 });
  });
});

describe('a test event', () => {
  it('is sent once, signed, and marked as a test', async () => {
    const { deliveryId } = await own().post(`${path()}/test`, 202);
    await eventually(() => expect(sink.requests).toHaveLength(1));
    const [request] = sink.requests;
    expect(request!.headers).toMatchObject({ 'x-service-event': 'submission_completed' });
    const example = eventExample('submission.completed').data;
    expect(JSON.parse(request!.body.toString())).toEqual({
      Id: request!.headers['x-service-hook-id'],
      EventName: 'submission_completed',
      Action: 'updated',
      Payload: { ...example, submissionId: example.id, tenantId: tenant.tenantId, isTestEvent: true },
    });
    await eventually(async () => {
      expect(await own().get(`/api/webhooks/deliveries/${deliveryId}`)).toMatchObject({
        status: 'delivered',
      });
    });
  });

  it('is dead after one failure, without retries', async () => {
    sink.respond(() => ({ status: 503 }));
    const { deliveryId } = await own().post(`${path()}/test`, 202, { eventName: 'submission_completed' });
    await eventually(async () => {
      const detail = await own().get(`/api/webhooks/deliveries/${deliveryId}`);
      expect(detail).toMatchObject({ status: 'dead', attemptCount: 1 });
    });
  });

  it('has an event type that the endpoint receives', async () => {
    await own().post(`${path()}/test`, 400, { eventName: 'form_created' });
    await own().post(`${path()}/test`, 400, { eventName: 'nothing' });
    await own().post(`${path()}/disable`);
    await own().post(`${path()}/test`, 409);
    expect(sink.requests).toHaveLength(0);
  });
});

it('belongs to the tenant and needs WebHooks.Manage', async () => {
  const { id } = await own().post(`${path()}/recover`, 202, ever);
  const job = `/api/webhooks/recoveries/${id}`;
  const other = api(world, relay.url, newTenant(world.owner));
  await other.get(job, 404);
  await other.post(`${job}/cancel`, 404);
  await other.post(`${path()}/recover`, 404, ever);
  await other.post(`${path()}/test`, 404);
  await other.post(`${path()}/rotate-secret`, 404);
  await own(['Editor']).get(job);
  await own([]).get(job, 403);
  for (const write of [`${path()}/test`, `${path()}/rotate-secret`, `${job}/cancel`])
    await own(['Editor']).post(write, 403);
  await own(['Editor']).post(`${path()}/recover`, 403, ever);
  expect((await own().get(`${path()}/secret`)).previous).toEqual([]);
});
