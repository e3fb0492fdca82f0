import { createServiceTokens } from '@canvass/auth';
import { startHarness, internalSecret, type Harness } from './harness';
import type { Client } from './client';

let test: Harness;
beforeAll(async () => (test = await startHarness()));
afterAll(() => test.close());

interface RecordedAction {
  id: string;
  action: string;
  object: { type: string; id: string };
  actor: unknown;
  address: string;
  requestId: string;
  clientRequestId: string | null;
  before: object | null;
  after: object | null;
}

/** The audit trail of the tenant, oldest first, as identity-svc reads it. */
async function trailOf({ tenantId }: Client, filter: Record<string, string> = {}): Promise<RecordedAction[]> {
  const token = createServiceTokens(internalSecret).sign('identity-svc');
  const query = new URLSearchParams({ tenantId, limit: '100', ...filter });
  const response = await fetch(`${test.service.internalUrl}/internal/audit?${query}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(200);
  return ((await response.json()) as { items: RecordedAction[] }).items.reverse();
}

it('records each change and export of a list once, with actor, address and request id', async () => {
  const admin = test.newTenant();
  const { id } = await admin.createList({ name: 'Cities', availableLocales: ['de'] });
  const path = `/api/data-lists/${id}`;
  const from = {
    'x-forwarded-for': '203.0.113.7',
    'x-canvass-request-id': 'request-of-the-rename',
    'x-request-id': 'r',
  };
  await admin.request('PATCH', path, { name: 'Towns' }, from);
  await admin.request('PATCH', path, { name: 'Towns' }); // changes nothing
  await admin.importItems(id, [{ value: 'lodz', labels: { default: 'Lodz' } }]);
  await admin.importItems(id, []);
  await admin.request('POST', `${path}/versions/1/restore`);
  await admin.request('POST', `${path}/locales`, { locale: 'pl' });
  await admin.request('DELETE', `${path}/locales/de`);
  await admin.request('PUT', `${path}/default-locale`, { defaultLocale: 'pl' });
  await admin.request('POST', `${path}/export`, { format: 'csv' });
  expect((await admin.request('DELETE', path)).status).toBe(204);

  const trail = await trailOf(admin);
  expect(trail.map(({ action }) => action)).toEqual([
    'data_list.created',
    'data_list.updated',
    'data_list.imported',
    'data_list.imported',
    'data_list.restored',
    'data_list.locales_added',
    'data_list.locale_removed',
    'data_list.default_locale_changed',
    'data_list.exported',
    'data_list.deleted',
  ]);
  expect(new Set(trail.map(({ object }) => object.id))).toEqual(new Set([id]));
  expect(trail[1]).toMatchObject({
    object: { type: 'data_list', id },
    actor: { provider: 'Service', kind: 'user', subject: expect.any(String) },
    address: '203.0.113.7',
    requestId: 'request-of-the-rename',
    clientRequestId: 'r',
    before: { name: 'Cities' },
    after: { name: 'Towns' },
  });
  expect(await trailOf(admin, { action: 'data_list.updated' })).toHaveLength(1);
  expect(await trailOf(admin, { objectId: '1' })).toEqual([]);
  expect(await trailOf(test.newTenant())).toEqual([]);
});

it('records no rejected, forbidden and rolled back request', async () => {
  const admin = test.newTenant();
  const viewer = test.clientOf(admin.tenantId, ['Viewer']);
  const { id } = await admin.createList();
  const path = `/api/data-lists/${id}`;
  await viewer.request('PATCH', path, { name: 'x' });
  await admin.request('PATCH', path, { name: 'x' }, { 'if-match': '"99"' });
  await admin.request('PATCH', path, { name: '' });
  await admin.importItems(id, [{ value: 'a', labels: {} }]);
  const items = [{ value: 'a', labels: { default: 'A' } }];
  expect((await admin.request('PUT', `${path}/import?dryRun=true`, { items })).status).toBe(200);
  await admin.request('POST', '/api/data-lists/1/export', {});
  expect((await trailOf(admin)).map(({ action }) => action)).toEqual(['data_list.created']);
});

it('shows the trail to services only', async () => {
  const { tenantId } = test.newTenant();
  const query = new URLSearchParams({ tenantId, limit: '1' });
  expect((await fetch(`${test.service.internalUrl}/internal/audit?${query}`)).status).toBe(401);
  expect((await fetch(`${test.service.url}/internal/audit?${query}`)).status).toBe(404);
});
