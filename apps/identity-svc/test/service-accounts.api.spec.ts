import { walkByKey, type KeyPageReply } from '@canvass/testing';
import { startHarness, type Harness } from './harness';

let service: Harness;
beforeAll(async () => {
  service = await startHarness();
});
afterAll(() => service.close());

const create = (token: string, body: unknown = { name: 'CRM' }) =>
  service.call('POST', '/api/service-accounts', { token, body });

it('shows the secret once and stores only its hash', async () => {
  const { token } = await service.newTenant();
  const { status, headers, body } = await create(token);
  expect(status).toBe(201);
  const path = `/api/service-accounts/${String(body['id'])}`;
  expect(headers.get('location')).toBe(path);
  const { clientSecret, ...shown } = body;
  expect(clientSecret).toMatch(/^cvs_[\w-]{43}$/);
  expect(shown).toEqual({
    id: expect.stringMatching(/^\d+$/),
    clientId: expect.stringMatching(/^sa_[\w-]{16}$/),
    name: 'CRM',
    roles: ['Integration'],
    isEnabled: true,
    expiresAt: null,
    lastUsedAt: null,
    formIds: null,
    previousSecretExpiresAt: null,
    revision: '1',
    createdAt: expect.any(String),
    modifiedAt: expect.any(String),
  });
  expect((await service.call('GET', path, { token })).body).toEqual(shown);
  expect((await service.call('GET', '/api/service-accounts', { token })).body).toEqual({
    items: [shown],
    next: null,
    previous: null,
    total: null,
    totalIsExact: false,
  });
  const [row] = await service.db.query<{ text: string }>(
    'select s::text as text from service_accounts s where id = $1',
    [body['id']],
  );
  expect(row!.text).not.toContain(String(clientSecret));
});

it('changes and deletes, honouring If-Match', async () => {
  const { token } = await service.newTenant();
  const path = `/api/service-accounts/${String((await create(token)).body['id'])}`;
  const changed = await service.call('PATCH', path, { token, body: { roles: ['Viewer'], name: 'New' } });
  expect(changed.body).toMatchObject({ roles: ['Viewer'], name: 'New', revision: '2' });
  expect(changed.body).not.toHaveProperty('clientSecret');
  const stale = { token, headers: { 'if-match': '"1"' } };
  expect((await service.call('PATCH', path, { ...stale, body: { name: 'x' } })).status).toBe(412);
  expect((await service.call('DELETE', path, stale)).status).toBe(412);
  expect((await service.call('DELETE', path, { token, headers: { 'if-match': '"2"' } })).status).toBe(204);
  for (const method of ['GET', 'DELETE'])
    expect((await service.call(method, path, { token })).status).toBe(404);
  expect((await service.call('PATCH', path, { token, body: { name: 'x' } })).status).toBe(404);
});

it.each<[string, Record<string, unknown>]>([
  ['no name', {}],
  ['a blank name', { name: ' ' }],
  ['a secret of the caller', { name: 'x', clientSecret: 'mine' }],
  ['an unknown role', { name: 'x', roles: ['Root'] }],
])('is a 400 for %s', async (_name, body) => {
  const { token } = await service.newTenant();
  expect((await create(token, body)).status).toBe(400);
});

it('are listed in both directions, also those with equal names', async () => {
  const { token } = await service.newTenant();
  for (const name of ['CRM', 'ERP', 'CRM', 'crm', 'CRM']) await create(token, { name });
  const list = async (page: string) =>
    (await service.call('GET', `/api/service-accounts?${page}`, { token }))
      .body as unknown as KeyPageReply<object>;
  const { items } = await list('limit=10');
  expect(items).toHaveLength(5);
  const { forward, backward } = await walkByKey(list, 2);
  expect(forward).toEqual(items);
  expect(backward).toEqual(items);
  expect((await service.call('GET', '/api/service-accounts?before=x', { token })).status).toBe(400);
});

it('with an Idempotency-Key is created once, and its secret is replayed for a day and sealed at rest', async () => {
  const { token } = await service.newTenant();
  const headers = { 'idempotency-key': 'crm-account-1' };
  const send = (name: string) =>
    service.call('POST', '/api/service-accounts', { token, body: { name }, headers });
  const [first, again] = [await send('CRM'), await send('CRM')];
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect((await send('ERP')).body['errorCode']).toBe('idempotency_key_reused');
  expect((await service.call('GET', '/api/service-accounts?total=exact', { token })).body['total']).toBe(1);
  const kept = JSON.stringify(await service.db.query('select * from idempotency_keys'));
  expect(kept).not.toContain(first.body['clientSecret']);
  expect(kept).not.toContain('crm-account-1');
});
