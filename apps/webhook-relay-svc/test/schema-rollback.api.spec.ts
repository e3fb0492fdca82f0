import { migrate } from '@canvass/postgres';
import type { RunningService } from '@canvass/service-kit';
import { eventually, webhookSink, type WebhookSink } from '@canvass/testing';
import { migrations } from '../migrations';
import { api } from './api';
import { startHarness, endpointAt, newId, newTenant, type Harness } from './harness';

let world: Harness;
let service: RunningService;
let sink: WebhookSink;
beforeAll(async () => {
  world = await startHarness();
  const Breaker = { Failures: 100, PauseSeconds: 1, MaxPauseSeconds: 1 };
  service = await world.relay({ webHooks: { Breaker } });
  sink = await webhookSink();
  sink.respond(() => ({ status: sink.requests.length % 3 === 0 ? 503 : 200 }));
}, 180_000);
afterAll(async () => {
  await sink.close();
  await world.close();
});

/**
 * Migrations that the build came to rely on in the same step: only before the first release (decision
 * 0015).
 */
const reliedOnAtOnce = [
  '20261122T0903_recoveries',
  '20261123T0201_recovery_items',
  '20261123T0300_live_events',
];
const newest = migrations.at(-1)!.name;
const before = reliedOnAtOnce.includes(newest) ? newest : migrations.at(-2)!.name;
const undoes = reliedOnAtOnce.includes(newest) ? [] : [newest];

/**
 * What the relay is for: events, retries, and every call of its API; the same on every version of the schema.
 */
async function useTheRelay(): Promise<void> {
  const tenant = newTenant(world.owner);
  const endpoint = endpointAt(sink.url, newId(), { header: 'X-Key', apiKey: 'key' });
  const broken = endpointAt('http://127.0.0.1:1/', newId());
  tenant.configure('SubmissionCompleted', [endpoint, broken]);
  await world.publish(tenant.settingsChanged());
  for (let n = 0; n < 4; n += 1) await world.publish(tenant.event());
  const admin = api(world, service.url, tenant);
  const total = async (filter: string) =>
    (await admin.get(`/api/webhooks/deliveries?${filter}`)).totalRecords as number;
  await eventually(
    async () => expect([await total('status=delivered'), await total('status=dead')]).toEqual([4, 4]),
    { timeoutMs: 60_000 },
  );
  const path = `/api/webhooks/endpoints/${endpoint.endpointId}`;
  await admin.get(`${path}/secret`);
  await admin.post(`${path}/rotate-secret`, 200, {}, { 'idempotency-key': endpoint.endpointId });
  await admin.post(`${path}/disable`);
  await admin.post(`${path}/enable`);
  await admin.post(`${path}/test`, 202);
  // Not those of the other endpoint: its test event is tried once only and may be dead by now.
  const deadOfBroken = `status=dead&endpointId=${broken.endpointId}`;
  const { items } = await admin.get(`/api/webhooks/deliveries?${deadOfBroken}`);
  expect((await admin.get(`/api/webhooks/deliveries/${items[0].id}`)).attempts).toHaveLength(4);
  await admin.post(`/api/webhooks/deliveries/${items[0].id}/resend`, 202);
  await admin.post(`/api/webhooks/endpoints/${broken.endpointId}/recover`, 202, {
    since: '2026-01-01T00:00:00Z',
  });
  await eventually(
    async () => expect((await total('status=delivered')) + (await total('status=dead'))).toBe(9),
    { timeoutMs: 60_000 },
  );
}

it('the build works with the newest schema, with the previous schema, and during the migration', async () => {
  await useTheRelay();
  const undone = migrate(world.database.url, migrations, { direction: 'down', to: before });
  await useTheRelay();
  expect(await undone).toEqual(undoes);
  await useTheRelay();
  const redone = migrate(world.database.url, migrations);
  await useTheRelay();
  expect(await redone).toEqual(undoes);
  await useTheRelay();
}, 240_000);
