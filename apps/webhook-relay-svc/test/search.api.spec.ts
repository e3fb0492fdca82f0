import { createServiceTokens } from '@canvass/auth';
import type { RunningService } from '@canvass/service-kit';
import { eventually, webhookSink } from '@canvass/testing';
import { api } from './api';
import { endpointAt, newTenant, startHarness, type Harness, type Tenant } from './harness';
import { internalSecret } from './owner';

let world: Harness;
let service: RunningService;
beforeAll(async () => {
  world = await startHarness();
  service = await world.relay();
}, 180_000);
afterAll(() => world.close());

async function find({ tenantId }: Pick<Tenant, 'tenantId'>, query: Record<string, string>) {
  const search = new URLSearchParams({ tenantId, text: 'nothing has this name', ...query });
  for (const kind of ['webhookEndpoint', 'delivery', 'message']) search.append('kinds', kind);
  const response = await fetch(`${service.internalUrl}/internal/search?${search}`, {
    headers: { authorization: `Bearer ${createServiceTokens(internalSecret).sign('identity-svc')}` },
  });
  expect(response.status).toBe(200);
  const { items } = (await response.json()) as { items: { kind: string; id: string; name: string }[] };
  return items.map(({ kind, id }) => [kind, id]);
}

it('finds endpoints by URL, and deliveries and messages by id, of one tenant', async () => {
  const sink = await webhookSink();
  const tenant = newTenant(world.owner);
  const endpoint = endpointAt(`${sink.url}/Hooks/of-${tenant.tenantId}`);
  tenant.configure('SubmissionCompleted', [endpoint]);
  const happened = tenant.event();
  await world.publish(happened);
  const admin = api(world, service.url, tenant);
  const delivery = await eventually(async () => {
    const { items } = await admin.get('/api/webhooks/deliveries?status=delivered');
    expect(items).toHaveLength(1);
    return items[0] as { id: string };
  });
  expect(await find(tenant, { text: `hooks/OF-${tenant.tenantId}` })).toEqual([
    ['webhookEndpoint', endpoint.endpointId],
  ]);
  expect(await find(tenant, { id: delivery.id })).toEqual([['delivery', delivery.id]]);
  expect(await find(tenant, { id: happened.id })).toEqual([['message', happened.id]]);
  for (const id of [delivery.id, happened.id, endpoint.endpointId])
    expect(await find(newTenant(world.owner), { id, text: 'hooks' })).toEqual([]);
  await sink.close();
});
