import type { RunningService } from '@canvass/service-kit';
import { behindLock, eventually, webhookSink, type WebhookSink } from '@canvass/testing';
import { api } from './api';
import { startHarness, endpointAt, newTenant, type Harness } from './harness';

/** Checks what statements do that waited for a row's lock, with snapshots from before. */
let world: Harness;
let relay: RunningService;
let sink: WebhookSink;
beforeAll(async () => {
  world = await startHarness();
  relay = await world.relay({ webHooks: { RetryScheduleSeconds: [3_600] } });
  sink = await webhookSink();
  sink.respond(({ path }) => ({ status: path === '/failing' ? 500 : 200 }));
});
afterAll(async () => {
  await sink.close();
  await world.close();
});

/** A tenant with one endpoint. */
function tenantWith(path: string) {
  const tenant = newTenant(world.owner);
  const endpoint = endpointAt(sink.url + path);
  tenant.configure('SubmissionCompleted', [endpoint]);
  return { tenant, endpoint, own: api(world, relay.url, tenant) };
}

it('a delivery that is claimed at the moment it is resent is a conflict', async () => {
  const { tenant, own } = tenantWith('/failing');
  await world.publish(tenant.event());
  const { id, endpointId } = await eventually(async () => {
    const { items } = await own.get('/api/webhooks/deliveries?status=failed');
    expect(items).toHaveLength(1);
    return items[0];
  });
  const resend = (status: number) => own.post(`/api/webhooks/deliveries/${id}/resend`, status);
  await behindLock(
    world.db,
    (tx) => tx.query('select from endpoints where id = $1 for no key update', [endpointId]),
    [() => resend(409)],
    (tx) =>
      tx.query(
        `update waiting set lease = gen_random_uuid(), lease_until = now() + interval '1 hour'
         where tenant_id = $1 and id = $2`,
        [tenant.tenantId, id],
      ),
  );
  expect(await own.get(`/api/webhooks/deliveries/${id}`)).toMatchObject({ status: 'failed' });
  await world.db.query('update waiting set lease = null, lease_until = null where id = $1', [id]);
  await resend(202);
});
