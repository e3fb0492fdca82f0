import { queues } from '@canvass/contracts';
import { expectMalformedEvents, eventually, webhookSink, type WebhookSink } from '@canvass/testing';
import type { RunningService } from '@canvass/service-kit';
import { api } from './api';
import { endpointAt, newId, newTenant, startHarness, type Harness, type Tenant } from './harness';

let world: Harness;
let relay: RunningService;
let sink: WebhookSink;
beforeAll(async () => {
  world = await startHarness();
  relay = await world.relay({ webHooks: { RetryScheduleSeconds: [3_600, 3_600] } });
  sink = await webhookSink();
  sink.respond(() => ({ status: 500 }));
});
afterAll(async () => {
  await sink.close();
  await world.close();
});

/** The event that `ops resync settings` of submissions-svc sends at its end. */
const resynced = ({ settingsChanged }: Tenant, data: object) => ({
  ...settingsChanged(),
  type: 'tenant.settings_resynced',
  data,
});

/** An endpoint of the settings of the tenant, with a delivery that waits for its retry. */
async function waiting(tenant: Tenant) {
  const endpoint = endpointAt(sink.url);
  tenant.configure('SubmissionCompleted', [endpoint]);
  await world.publish(tenant.event());
  const log = api(world, relay.url, tenant);
  const deliveries = async () =>
    (await log.get('/api/webhooks/deliveries')).items.map(({ status }: { status: string }) => status);
  await eventually(async () => expect(await deliveries()).toEqual(['failed']));
  const state = async () => (await log.get(`/api/webhooks/endpoints/${endpoint.endpointId}`)).state as string;
  return { deliveries, state };
}

it('settings that submissions-svc lost end with a resync: endpoints are removed, deliveries cancelled', async () => {
  const [lost, kept, newer] = [newTenant(world.owner), newTenant(world.owner), newTenant(world.owner)];
  const ofLost = await waiting(lost);
  const ofKept = await waiting(kept);
  const before = newId();
  const ofNewer = await waiting(newer);
  await world.publish(resynced(lost, { since: newId(), scopeIds: [newId()] }));
  await world.publish(resynced(kept, { since: newId(), scopeIds: [kept.tenantId] }));
  await world.publish(resynced(newer, { since: before, scopeIds: [] }));
  await eventually(async () => expect(await ofLost.state()).toBe('removed'));
  await eventually(async () => expect(await ofLost.deliveries()).toEqual(['cancelled']));

  // An event of the lost time that is sent again, and one after the resync of the others.
  await world.publish(lost.event());
  await eventually(async () => expect(await ofLost.deliveries()).toEqual(['cancelled', 'cancelled']));
  for (const tenant of [kept, newer]) await world.publish(tenant.event());
  for (const { state, deliveries } of [ofKept, ofNewer]) {
    await eventually(async () => expect(await deliveries()).toEqual(['failed', 'failed']));
    expect(await state()).toBe('enabled');
  }

  // Settings that are saved again later are in force again.
  lost.configure('SubmissionCompleted', [endpointAt(sink.url)]);
  await world.publish(lost.event());
  await eventually(async () =>
    expect((await ofLost.deliveries()).sort()).toEqual(['cancelled', 'cancelled', 'failed']),
  );
});

it('an event that ends a resync without a list of settings is dead-lettered and ends nothing', async () => {
  expectMalformedEvents();
  const tenant = newTenant(world.owner);
  const { state } = await waiting(tenant);
  await world.publish(resynced(tenant, { since: newId() }));
  await eventually(async () =>
    expect(await world.vhost.api('GET', `/queues/:vhost/${queues.dead}`)).toMatchObject({ messages: 1 }),
  );
  expect(await state()).toBe('enabled');
});
