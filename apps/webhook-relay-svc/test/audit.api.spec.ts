import { createServiceTokens } from '@canvass/auth';
import type { RunningService } from '@canvass/service-kit';
import { eventually, webhookSink, type WebhookSink } from '@canvass/testing';
import { operate } from '../src/operations';
import { api } from './api';
import { startHarness, endpointAt, newTenant, type Harness, type Tenant } from './harness';
import { internalSecret } from './owner';

let world: Harness;
let relay: RunningService;
let sink: WebhookSink;
let tenant: Tenant;
let path: string;
let endpointId: string;
beforeAll(async () => {
  world = await startHarness();
  relay = await world.relay({ webHooks: { RetryScheduleSeconds: [] } });
});
afterAll(() => world.close());
beforeEach(async () => {
  sink = await webhookSink();
  tenant = newTenant(world.owner);
  const endpoint = endpointAt(sink.url);
  endpointId = endpoint.endpointId;
  path = `/api/webhooks/endpoints/${endpointId}`;
  tenant.configure('SubmissionCompleted', [endpoint]);
  await world.publish(tenant.settingsChanged());
  await eventually(() => own().get(path));
});
afterEach(() => sink.close());

const own = (roles?: string[]) => api(world, relay.url, tenant, roles);

interface RecordedAction {
  action: string;
  object: { type: string; id: string | null };
  actor: { provider: string; kind: string; subject: string };
  before: object | null;
  after: object | null;
}

/** The audit trail of a tenant, oldest first. */
async function trailOf(tenantId: string): Promise<RecordedAction[]> {
  const authorization = `Bearer ${createServiceTokens(internalSecret).sign('identity-svc')}`;
  const url = `${relay.internalUrl}/internal/audit?tenantId=${tenantId}&limit=100`;
  const response = await fetch(url, { headers: { authorization } });
  expect(response.status).toBe(200);
  const { items } = (await response.json()) as { items: RecordedAction[] };
  return items.reverse();
}

it('records each action on an endpoint and its deliveries once', async () => {
  await world.publish(tenant.event());
  const delivery = await eventually(async () => {
    const { items } = await own().get('/api/webhooks/deliveries?status=delivered');
    expect(items).toHaveLength(1);
    return items[0].id as string;
  });
  await own().patch(path, 200, { maxPerSecond: 5 });
  await own().patch(path, 200, { maxPerSecond: 5 }); // changes nothing
  const before = await own().get(`${path}/secret`);
  await own().post(`${path}/rotate-secret`, 200, {});
  await own().post(`${path}/test`, 202, {});
  await own().post(`/api/webhooks/deliveries/${delivery}/resend`, 202);
  const recovery = await own().post(`${path}/recover`, 202, { since: '2026-01-01T00:00:00Z' });
  await own().post(`/api/webhooks/recoveries/${recovery.id}/cancel`, 200); // it may have ended
  await own().post(`${path}/disable`, 200);
  await own().post(`${path}/disable`, 200); // changes nothing
  await own().post(`${path}/enable`, 200);

  const trail = await trailOf(tenant.tenantId);
  const actions = trail.map(({ action }) => action).filter((each) => each !== 'webhook_recovery.cancelled');
  expect(actions).toEqual([
    'webhook_endpoint.limited',
    'webhook_endpoint.secret_read',
    'webhook_endpoint.secret_rotated',
    'webhook_endpoint.tested',
    'webhook_delivery.resent',
    'webhook_recovery.started',
    'webhook_endpoint.disabled',
    'webhook_endpoint.enabled',
  ]);
  expect(trail[0]).toMatchObject({
    object: { type: 'webhook_endpoint', id: endpointId },
    before: { maxPerSecond: null },
    after: { maxPerSecond: 5 },
  });
  expect(trail.at(-1)).toMatchObject({ before: { state: 'disabled' }, after: { state: 'enabled' } });
  expect(JSON.stringify(trail)).not.toContain(before.secret);
  expect(JSON.stringify(trail)).not.toContain('whsec_');
});

it('records that a recovery was cancelled, once', async () => {
  const { tenantId } = tenant;
  const [job] = await world.db.query<{ id: string }>(
    `insert into jobs (tenant_id, kind, request, total) values ($1, 'webhook_recovery', $2, 1) returning id`,
    [tenantId, JSON.stringify({ mode: 'failed', filter: { endpointId }, deliveryIds: null })],
  );
  const cancel = () => own().post(`/api/webhooks/recoveries/${job!.id}/cancel`, 200);
  const states = await Promise.all([cancel(), cancel()]);
  const trail = await trailOf(tenantId);
  // The worker may have been faster.
  const isCancelled = states.every(({ status }) => status === 'cancelled');
  expect(trail.map(({ action, object }) => [action, object.id])).toEqual(
    isCancelled ? [['webhook_recovery.cancelled', job!.id]] : [],
  );
});

it('records no rejected request', async () => {
  await own(['Viewer']).get(`${path}/secret`, 403);
  await own().get('/api/webhooks/endpoints/1/secret', 404);
  await own().post('/api/webhooks/endpoints/1/rotate-secret', 404, {});
  await own().post('/api/webhooks/deliveries/1/resend', 404);
  await own().post('/api/webhooks/endpoints/1/recover', 404, { since: '2026-01-01T00:00:00Z' });
  expect(await trailOf(tenant.tenantId)).toEqual([]);
});

it('records commands of operators that change data, with the account, and no others', async () => {
  const ops = (...argv: string[]) =>
    operate(argv, world.settings({}), {
      output: { write: () => undefined },
      screen: { write: () => undefined },
    });
  const named = ['--tenant', tenant.tenantId, '--endpoint', endpointId];
  expect(await ops('endpoints', ...named)).toBe(0);
  expect(await ops('endpoints', 'disable', ...named)).toBe(2);
  expect(await ops('endpoints', 'disable', ...named, '--yes')).toBe(0);
  expect(await trailOf(tenant.tenantId)).toMatchObject([
    {
      action: 'ops.endpoints_disable',
      actor: { provider: 'ops', kind: 'operator', subject: expect.stringContaining('@') },
      after: { endpoint: endpointId },
    },
  ]);
  expect(await ops('audit', 'verify')).toBe(0);
});
