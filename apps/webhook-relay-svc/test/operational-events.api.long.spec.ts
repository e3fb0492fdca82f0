import { exchanges, type EventEnvelope } from '@canvass/contracts';
import type { RunningService } from '@canvass/service-kit';
import { eventually, webhookSink } from '@canvass/testing';
import amqp from 'amqplib';
import { disableEndpoint } from '../src/endpoints';
import { api } from './api';
import { startHarness, endpointAt, newId, newTenant, type Tenant, type Harness } from './harness';

let world: Harness;
let service: RunningService;
let connection: Awaited<ReturnType<typeof amqp.connect>>;
const seen: EventEnvelope[] = [];

beforeAll(async () => {
  world = await startHarness();
  connection = await amqp.connect(world.vhost.url);
  const channel = await connection.createChannel();
  await channel.assertQueue('operational-events', { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  await channel.bindQueue('operational-events', exchanges.events, 'webhook.*');
  await channel.consume('operational-events', (message) => {
    if (message === null) return;
    seen.push(JSON.parse(message.content.toString()) as EventEnvelope);
    channel.ack(message);
  });
  const webHooks = { Breaker: { Failures: 2, PauseSeconds: 0.2, MaxPauseSeconds: 0.2 } };
  [service] = await Promise.all([world.relay({ webHooks }), world.relay({ webHooks })]);
}, 180_000);
afterAll(async () => {
  await connection.close();
  await world.close();
});

const ofTenant = ({ tenantId }: Tenant) => seen.filter((event) => event.tenantId === tenantId);

/** The events of an endpoint, in the order of arrival. */
const reportedFor = (tenant: Tenant, entityId: string) =>
  ofTenant(tenant)
    .filter((event) => event.entityId === entityId)
    .map(({ type, revision, data }) =>
      [revision, type, 'reason' in data ? data.reason : ''].join(' ').trim(),
    );

/**
 * Waits until nothing is left to publish and the events of the tenant are `count`, then checks that there are
 * no more.
 */
async function settled(tenant: Tenant, count: number): Promise<EventEnvelope[]> {
  await eventually(() => expect(ofTenant(tenant).length).toBeGreaterThanOrEqual(count));
  await eventually(async () =>
    expect(await world.db.query('select from outbox where tenant_id = $1', [tenant.tenantId])).toEqual([]),
  );
  expect(ofTenant(tenant)).toHaveLength(count);
  expect(new Set(ofTenant(tenant).map(({ id }) => id)).size).toBe(count);
  return ofTenant(tenant);
}

/** A tenant with one endpoint that the relays know, at a receiver of its own. */
async function known(status: number, apiKey?: { header: string; apiKey: string }) {
  const sink = await webhookSink();
  const answer = (next: number) => sink.respond(() => ({ status: next }));
  answer(status);
  const tenant = newTenant(world.owner);
  const endpoint = endpointAt(sink.url, newId(), apiKey);
  tenant.configure('SubmissionCompleted', [endpoint]);
  await world.publish(tenant.settingsChanged());
  await eventually(async () =>
    expect(await world.db.query('select from endpoints where id = $1', [endpoint.endpointId])).toHaveLength(
      1,
    ),
  );
  const path = `/api/webhooks/endpoints/${endpoint.endpointId}`;
  return { sink, answer, tenant, id: endpoint.endpointId, path, admin: api(world, service.url, tenant) };
}

describe('operational events', () => {
  it('report failing, recovered, disabled (410) and enabled endpoints and dead deliveries, once and in order', async () => {
    const { sink, answer, tenant, id, path, admin } = await known(503, {
      header: 'X-Key',
      apiKey: 'the-key',
    });
    await Promise.all([1, 2, 3].map(() => world.publish(tenant.event())));
    const dead = await settled(tenant, 4);
    const deliveries = (await admin.get('/api/webhooks/deliveries?status=dead')).items as { id: string }[];
    expect(deliveries).toHaveLength(3);
    for (const delivery of deliveries)
      expect(reportedFor(tenant, delivery.id)).toEqual(['4 webhook.delivery_dead']);
    expect(dead.find(({ entity }) => entity === 'delivery')).toMatchObject({
      formId: tenant.formId,
      traceparent: expect.stringMatching(/^00-0af7651916cd43dd8448eb211c80319c-/),
      data: { endpointId: id, eventName: 'submission_completed', attempts: 4, lastStatusCode: 503 },
    });

    answer(200);
    await world.publish(tenant.event());
    await settled(tenant, 5);
    answer(410);
    await world.publish(tenant.event());
    await settled(tenant, 6);
    answer(200);
    await admin.post(`${path}/enable`);
    await admin.post(`${path}/enable`);
    await admin.post(`${path}/disable`);
    await admin.post(`${path}/disable`);

    const all = await settled(tenant, 8);
    expect(reportedFor(tenant, id)).toEqual([
      '1 webhook.endpoint_failing',
      '2 webhook.endpoint_recovered success',
      '3 webhook.endpoint_disabled gone',
      '4 webhook.endpoint_recovered enabled',
      '5 webhook.endpoint_disabled manual',
    ]);
    expect(JSON.stringify(all)).not.toMatch(new RegExp(`${new URL(sink.url).host}|the-key|whsec_`));
    await sink.close();
  }, 240_000);

  it('report an endpoint that is disabled after days', async () => {
    const { sink, tenant, id } = await known(503);
    await world.db.query(`update endpoints set failing_since = now() - interval '6 days' where id = $1`, [
      id,
    ]);
    await world.publish(tenant.event());
    await settled(tenant, 1);
    expect(reportedFor(tenant, id)).toEqual(['1 webhook.endpoint_disabled failing']);
    await sink.close();
  }, 240_000);

  it('do not report rolled-back changes and failed test deliveries', async () => {
    const { sink, tenant, id, path, admin } = await known(400);
    const undone = world.db.transaction(async (tx) => {
      await tx.query(disableEndpoint({ tenantId: tenant.tenantId, id, traceparent: null }));
      expect(await tx.query('select from outbox where entity_id = $1', [id])).toHaveLength(1);
      throw new Error('rolled back');
    });
    await expect(undone).rejects.toThrow('rolled back');
    await admin.post(`${path}/test`, 202);
    await eventually(async () =>
      expect((await admin.get('/api/webhooks/deliveries?status=dead&total=exact')).total).toBe(1),
    );
    await admin.post(`${path}/disable`);
    await settled(tenant, 1);
    expect(reportedFor(tenant, id)).toEqual(['1 webhook.endpoint_disabled manual']);
    await sink.close();
  }, 240_000);
});
