import { exchanges, queues } from '@canvass/contracts';
import type { RunningService } from '@canvass/service-kit';
import {
  eventually,
  expectMalformedEvents,
  webhookSink,
  type SinkAnswer,
  type WebhookSink,
} from '@canvass/testing';
import { api } from './api';
import { startHarness, endpointAt, newId, newTenant, type Tenant, type Harness } from './harness';

let world: Harness;
let relay: RunningService;
let sink: WebhookSink;

beforeAll(async () => {
  world = await startHarness();
  // No retry comes by itself: a test says when one is due.
  relay = await world.relay({ webHooks: { RetryScheduleSeconds: [3_600, 3_600] } });
});
afterAll(() => world.close());
beforeEach(async () => {
  sink = await webhookSink();
});
afterEach(() => sink.close());

const makeDue = ({ tenantId }: Tenant) => world.makeDue(tenantId);
const statusOf = ({ status }: { status: string }) => status;
const hookIds = () => sink.requests.map(({ headers }) => headers['webhook-id']);
const deadLetters = async () => {
  const { messages } = (await world.vhost.api('GET', `/queues/:vhost/${queues.dead}`)) as {
    messages?: number;
  };
  return messages ?? 0;
};

describe('settings of an event', () => {
  it('are fetched once per version', async () => {
    const tenant = newTenant(world.owner);
    tenant.configure('SubmissionCompleted', [endpointAt(sink.url)]);
    await Promise.all(Array.from({ length: 10 }, () => world.publish(tenant.event())));
    await eventually(() => expect(sink.requests).toHaveLength(10));
    expect(world.owner.asked.filter((path) => path.includes(tenant.tenantId))).toHaveLength(1);
  });

  it('are retried while submissions-svc is unavailable, and nothing is lost', async () => {
    const tenant = newTenant(world.owner);
    tenant.configure('SubmissionCompleted', [endpointAt(sink.url)]);
    world.owner.setAvailable(false);
    const events = [tenant.event(), tenant.event()];
    for (const event of events) await world.publish(event);
    await eventually(() => expect(world.owner.asked.join()).toContain(tenant.tenantId));
    world.owner.setAvailable(true);
    await eventually(() => expect(hookIds().sort()).toEqual(events.map(({ id }) => id).sort()));
  });

  it('decide what is sent: a disabled event and an empty override send nothing', async () => {
    const tenant = newTenant(world.owner);
    tenant.configure('SubmissionCompleted', [endpointAt(sink.url)], false);
    await world.publish(tenant.event());
    tenant.configure('FormCreated', [endpointAt(sink.url)]);
    await world.publish(tenant.event());
    await world.publish(tenant.event({ settings: null }));
    tenant.configure('SubmissionCompleted', [endpointAt(sink.url)]);
    const wanted = tenant.event();
    await world.publish(wanted);
    await eventually(() => expect(hookIds()).toEqual([wanted.id]));
  });

  it('that do not exist dead-letter the event, and so does a malformed event', async () => {
    expectMalformedEvents();
    const before = await deadLetters();
    const tenant = newTenant(world.owner);
    await world.publish(tenant.event({ settings: { scope: 'form', scopeId: newId(), version: '1' } }));
    await world.publish({ id: 'x', type: 'submission.completed' });
    await world.publish({ ...tenant.settingsChanged(), data: {} });
    await world.publish(
      tenant.event({
        entityId: '9999999999999999999',
        settings: tenant.configure('SubmissionCompleted', [endpointAt(sink.url)]),
      }),
    );
    await world.broker.publish([
      {
        exchange: exchanges.events,
        routingKey: 'submission.completed',
        messageId: 'y',
        body: Buffer.from('{'),
      },
    ]);
    await eventually(async () => expect(await deadLetters()).toBe(before + 5));
    expect(sink.requests).toHaveLength(0);
  });
});

describe('settings that change between event and retry', () => {
  it('apply to the retry with their credentials', async () => {
    sink.respond(() => ({ status: sink.requests.length === 1 ? 500 : 200 }));
    const tenant = newTenant(world.owner);
    const endpointId = newId();
    const configure = (apiKey: string) =>
      tenant.configure('SubmissionCompleted', [
        endpointAt(sink.url, endpointId, { header: 'X-Key', apiKey }),
      ]);
    configure('old');
    const event = tenant.event();
    await world.publish(event);
    const log = api(world, relay.url, tenant);
    await eventually(async () =>
      expect((await log.get('/api/webhooks/deliveries?status=failed&total=exact')).total).toBe(1),
    );
    const { version } = configure('new');
    await world.publish(tenant.settingsChanged());
    await eventually(async () =>
      expect(
        await world.db.query('select from settings_current where tenant_id = $1 and version = $2', [
          tenant.tenantId,
          version,
        ]),
      ).toHaveLength(1),
    );
    await makeDue(tenant);
    await eventually(() => expect(hookIds()).toEqual([event.id, event.id]));
    expect(sink.requests.map(({ headers }) => headers['x-key'])).toEqual(['old', 'new']);
  });

  it('cancel the waiting deliveries of a removed endpoint', async () => {
    sink.respond(() => ({ status: 500 }));
    const tenant = newTenant(world.owner);
    const endpoint = endpointAt(sink.url);
    tenant.configure('SubmissionCompleted', [endpoint]);
    await world.publish(tenant.event());
    const log = api(world, relay.url, tenant);
    await eventually(async () =>
      expect((await log.get('/api/webhooks/deliveries?status=failed&total=exact')).total).toBe(1),
    );
    tenant.configure('SubmissionCompleted', []);
    await world.publish(tenant.settingsChanged());
    const { items } = await eventually(async () => {
      const page = await log.get('/api/webhooks/deliveries?status=cancelled');
      expect(page.items).toHaveLength(1);
      return page;
    });
    const removed = await log.get(`/api/webhooks/endpoints/${endpoint.endpointId}`);
    expect(removed).toMatchObject({ state: 'removed', events: [] });
    await log.post(`/api/webhooks/deliveries/${items[0].id}/resend`, 409);
    expect(sink.requests).toHaveLength(1);
  });

  it('cancel later deliveries of a removed and disabled endpoint: an attempt in progress, a late event', async () => {
    let release: (answer: SinkAnswer) => void = () => undefined;
    const held = new Promise<SinkAnswer>((resolve) => (release = resolve));
    sink.respond(() => held);
    const tenant = newTenant(world.owner);
    const endpoint = endpointAt(sink.url);
    const old = tenant.configure('SubmissionCompleted', [endpoint]);
    await world.publish(tenant.event());
    await eventually(() => expect(sink.requests).toHaveLength(1));
    tenant.configure('SubmissionCompleted', []);
    await world.publish(tenant.settingsChanged());
    const log = api(world, relay.url, tenant);
    const path = `/api/webhooks/endpoints/${endpoint.endpointId}`;
    await eventually(async () => expect(await log.get(path)).toMatchObject({ state: 'removed' }));
    release({ status: 410 });
    await eventually(async () => expect(await log.get(path)).toMatchObject({ disabledReason: 'gone' }));
    await world.publish(tenant.event({ settings: old }));
    await eventually(async () =>
      expect((await log.get('/api/webhooks/deliveries')).items.map(statusOf)).toHaveLength(2),
    );
    await makeDue(tenant);
    await eventually(async () =>
      expect((await log.get('/api/webhooks/deliveries')).items.map(statusOf)).toEqual([
        'cancelled',
        'cancelled',
      ]),
    );
    expect(sink.requests).toHaveLength(1);
  });

  it('are not reverted by an older version that arrives later; its event is cancelled for a removed endpoint', async () => {
    const tenant = newTenant(world.owner);
    const [gone, kept] = [endpointAt(`${sink.url}/gone`), endpointAt(`${sink.url}/kept`)];
    const old = tenant.configure('SubmissionCompleted', [gone, kept]);
    tenant.configure('SubmissionCompleted', [kept]);
    await world.publish(tenant.settingsChanged());
    const log = api(world, relay.url, tenant);
    await eventually(() => log.get(`/api/webhooks/endpoints/${kept.endpointId}`));
    await world.publish(tenant.event({ settings: old }));
    await eventually(async () => {
      const { items } = await log.get('/api/webhooks/deliveries');
      expect(items.map(statusOf).sort()).toEqual(['cancelled', 'delivered']);
    });
    expect(sink.requests.map(({ path }) => path)).toEqual(['/kept']);
    const current = await log.get(`/api/webhooks/endpoints/${kept.endpointId}`);
    expect(current).toMatchObject({ state: 'enabled', scope: 'tenant' });
    const never = await log.get(`/api/webhooks/endpoints/${gone.endpointId}`);
    expect(never).toMatchObject({ url: `${sink.url}/gone`, state: 'removed', events: [] });
  });
});

it('stores no secret in clear text', async () => {
  const tenant = newTenant(world.owner);
  const apiKey = 'canary-4f1d2c';
  sink.respond(({ headers }) => ({ status: 200, body: `you sent ${headers['x-key'] ?? ''}` }));
  const endpoint = endpointAt(sink.url, newId(), { header: 'X-Key', apiKey });
  tenant.configure('SubmissionCompleted', [endpoint]);
  await world.publish(tenant.event());
  const log = api(world, relay.url, tenant);
  const { items } = await eventually(async () => {
    const page = await log.get('/api/webhooks/deliveries?status=delivered');
    expect(page.items).toHaveLength(1);
    return page;
  });
  expect(sink.requests[0]!.headers['x-key']).toBe(apiKey);
  const detail = await log.get(`/api/webhooks/deliveries/${items[0].id}`);
  expect(detail.attempts[0]).toMatchObject({
    requestHeaders: expect.objectContaining({ 'X-Key': '********', 'webhook-id': detail.messageId }),
    responseBody: 'you sent ********',
  });
  const { secret } = await log.get(`/api/webhooks/endpoints/${endpoint.endpointId}/secret`);
  for (const table of ['settings_targets', 'endpoint_secrets', 'endpoints', 'messages', 'deliveries']) {
    const rows = await world.db.query(`select t::text as text from ${table} t`);
    expect(JSON.stringify(rows)).not.toContain(apiKey);
    expect(JSON.stringify(rows)).not.toContain(secret);
  }
});
