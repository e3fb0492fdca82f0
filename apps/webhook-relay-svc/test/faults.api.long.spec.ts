import { eventually, webhookSink, type SinkAnswer, type WebhookSink } from '@canvass/testing';
import { createRecorder } from '../src/pipeline';
import { unreadable } from '../src/pipeline/attempt';
import { api } from './api';
import { testLeases } from './lost-relay';
import { startHarness, endpointAt, newTenant, type Harness } from './harness';

let world: Harness;
let sink: WebhookSink;

beforeAll(async () => {
  world = await startHarness();
});
afterAll(() => world.close());
beforeEach(async () => {
  sink = await webhookSink();
});
afterEach(() => sink.close());

const deliveriesOf = async (tenantId: string) =>
  world.db.query<{
    id: string;
    endpoint_id: string;
    status: string;
    attempts: number;
    wait: number | null;
    last_outcome: string;
  }>(
    `select id, endpoint_id, status, attempt_count as attempts, last_outcome, extract(epoch from next_attempt_at - now())::float8 as wait
     from delivery_log where tenant_id = $1 order by id`,
    [tenantId],
  );

describe('a receiver that responds with', () => {
  it('410 is disabled: its deliveries are recorded, and sent once it is enabled', async () => {
    const relay = await world.relay();
    sink.respond(() => ({ status: 410 }));
    const tenant = newTenant(world.owner);
    const endpoint = endpointAt(sink.url);
    tenant.configure('SubmissionCompleted', [endpoint]);
    await world.publish(tenant.event());
    const log = api(world, relay.url, tenant);
    const path = `/api/webhooks/endpoints/${endpoint.endpointId}`;
    await eventually(async () =>
      expect(await log.get(path)).toMatchObject({ state: 'disabled', disabledReason: 'gone' }),
    );
    await world.publish(tenant.event());
    await eventually(async () => expect(await deliveriesOf(tenant.tenantId)).toHaveLength(2));
    const [first] = await deliveriesOf(tenant.tenantId);
    await log.post(`/api/webhooks/deliveries/${first!.id}/resend`, 409);
    expect(sink.requests).toHaveLength(1);

    sink.respond(() => ({ status: 200 }));
    expect(await log.post(`${path}/enable`)).toMatchObject({ state: 'enabled', disabledReason: null });
    await eventually(async () => {
      const statuses = (await deliveriesOf(tenant.tenantId)).map(({ status }) => status);
      expect(statuses).toEqual(['delivered', 'delivered']);
    });
    expect(await log.post(`${path}/disable`)).toMatchObject({ state: 'disabled', disabledReason: 'manual' });
    await relay.stop();
  });

  it('Retry-After gets no request for that time', async () => {
    const relay = await world.relay();
    sink.respond(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
    const tenant = newTenant(world.owner);
    tenant.configure('SubmissionCompleted', [endpointAt(sink.url)]);
    await world.publish(tenant.event());
    const [delivery] = await eventually(async () => {
      const found = await deliveriesOf(tenant.tenantId);
      expect(found[0]).toMatchObject({ status: 'failed', last_outcome: 'http_4xx' });
      return found;
    });
    expect(delivery!.wait).toBeGreaterThan(3_000);
    expect(delivery!.wait).toBeLessThanOrEqual(3_600);
    await relay.stop();
  });

  it('nothing does not delay other endpoints', async () => {
    // The first five to the silent one end when this test says so, however slow the machine is.
    const relay = await world.relay({
      webHooks: { TimeoutSeconds: 40, LeaseSeconds: 45, RetryScheduleSeconds: [60] },
    });
    const healthy = await webhookSink();
    let release: (answer: SinkAnswer) => void = () => undefined;
    const held = new Promise<SinkAnswer>((resolve) => (release = resolve));
    sink.respond(() => held);
    const tenant = newTenant(world.owner);
    tenant.configure('SubmissionCompleted', [endpointAt(sink.url), endpointAt(healthy.url)]);
    await Promise.all(Array.from({ length: 10 }, () => world.publish(tenant.event())));
    await eventually(() => expect(healthy.requests).toHaveLength(10));
    expect(sink.requests.length).toBeLessThanOrEqual(5);
    release({ status: 200 });
    await relay.stop();
    await healthy.close();
  });
});

describe('a sender that is killed', () => {
  it('loses its lease: another replica sends the delivery, and a late result is ignored', async () => {
    const tenant = newTenant(world.owner);
    tenant.configure('SubmissionCompleted', [endpointAt(sink.url)]);
    const setDisabled = (at: string) =>
      world.db.query(`update endpoints set disabled_at = ${at} where tenant_id = $1`, [tenant.tenantId]);
    // A relay that records the second delivery and is stopped before it may send it.
    const first = await world.relay();
    await world.publish(tenant.event());
    await eventually(() => expect(sink.requests).toHaveLength(1));
    await setDisabled('now()');
    await world.publish(tenant.event());
    await eventually(async () => expect(await deliveriesOf(tenant.tenantId)).toHaveLength(2));
    await first.stop();
    await setDisabled('null');
    const [waiting] = (await deliveriesOf(tenant.tenantId)).filter(({ status }) => status === 'pending');
    // Claimed and never sent: what a kill leaves behind.
    const job = { tenantId: tenant.tenantId, endpointId: waiting!.endpoint_id, deliveryId: waiting!.id };
    const [killed] = await testLeases(world.db, { seconds: 3 }).byIds([job]);
    expect(killed).toBeDefined();
    expect(await testLeases(world.db, { seconds: 3 }).byIds([job])).toEqual([]);

    const second = await world.relay();
    await eventually(async () => {
      const [delivery] = (await deliveriesOf(tenant.tenantId)).slice(-1);
      expect(delivery).toMatchObject({ id: waiting!.id, status: 'delivered', attempts: 1 });
    });
    const late = await createRecorder(world.db, [60]).attempt(killed!, unreadable);
    expect(late.endToEndSeconds).toBeNull();
    const [after] = (await deliveriesOf(tenant.tenantId)).slice(-1);
    expect(after).toMatchObject({ status: 'delivered', attempts: 1, last_outcome: 'success' });
    await second.stop();
  });
});

describe.each([
  ['own sends', false],
  ['jobs', true],
])('two relays with %s', (_mode, deliverToJobQueue) => {
  it('send no delivery twice while they are healthy, and share the limit of an endpoint', async () => {
    const relays = await Promise.all([
      world.relay({ deliverToJobQueue }),
      world.relay({ deliverToJobQueue }),
    ]);
    let now = 0;
    let most = 0;
    sink.respond(async () => {
      most = Math.max(most, (now += 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
      now -= 1;
      return { status: 200 };
    });
    const tenant = newTenant(world.owner);
    tenant.configure('SubmissionCompleted', [endpointAt(sink.url)]);
    const events = Array.from({ length: 120 }, () => tenant.event());
    await Promise.all(events.map((event) => world.publish(event)));
    await eventually(async () => {
      const delivered = (await deliveriesOf(tenant.tenantId)).filter(({ status }) => status === 'delivered');
      expect(delivered).toHaveLength(120);
    });
    const ids = sink.requests.map(({ headers }) => headers['webhook-id']);
    expect(ids.sort()).toEqual(events.map(({ id }) => id).sort());
    expect(most).toBeLessThanOrEqual(5);
    await Promise.all(relays.map((relay) => relay.stop()));
  });
});

it('a stop completes the attempts in progress and leaves the rest; a restart sends nothing twice', async () => {
  const first = await world.relay();
  sink.respond(() => ({ status: 200, delayMs: 200 }));
  const tenant = newTenant(world.owner);
  tenant.configure('SubmissionCompleted', [endpointAt(sink.url)]);
  const events = Array.from({ length: 12 }, () => tenant.event());
  await Promise.all(events.map((event) => world.publish(event)));
  await eventually(() => expect(sink.requests.length).toBeGreaterThan(0));
  expect(await first.stop()).toBe(true);
  expect(await world.leased()).toBe(0);
  const second = await world.relay();
  await eventually(() => expect(sink.requests).toHaveLength(12));
  const ids = sink.requests.map(({ headers }) => headers['webhook-id']);
  expect(ids.sort()).toEqual(events.map(({ id }) => id).sort());
  await second.stop();
});

it('a job that is lost between commit and publish is sent by the sweep', async () => {
  const relay = await world.relay({ deliverToJobQueue: true });
  const tenant = newTenant(world.owner);
  tenant.configure('SubmissionCompleted', [endpointAt(sink.url)]);
  await world.publish(tenant.event());
  await eventually(() => expect(sink.requests).toHaveLength(1));
  // The receiver has it before the relay has recorded that.
  const recorded = () =>
    world.db.query(`select from deliveries where tenant_id = $1 and status = 'delivered'`, [tenant.tenantId]);
  await eventually(async () => expect(await recorded()).toHaveLength(1));
  // As if the process had died before it published: the delivery is in Postgres and nowhere else.
  await world.db.query(
    `with lost as (delete from deliveries where tenant_id = $1 returning *)
     insert into waiting (tenant_id, id, endpoint_id, message_id, event_name, entity_id, form_id, occurred_at, due_at)
     select tenant_id, id, endpoint_id, message_id, event_name, entity_id, form_id, occurred_at, now() from lost`,
    [tenant.tenantId],
  );
  await world.makeDue(tenant.tenantId);
  await eventually(() => expect(sink.requests).toHaveLength(2));
  await relay.stop();
});
