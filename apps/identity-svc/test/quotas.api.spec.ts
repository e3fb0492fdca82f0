import { randomUUID } from 'node:crypto';
import { startHarness, type Harness } from './harness';
import { runOps } from './ops';

let service: Harness;
beforeAll(async () => {
  service = await startHarness({ Quotas: { Users: 3, ServiceAccounts: 2 } });
});
afterAll(() => service.close());

const addUser = (token: string) =>
  service.call('POST', '/api/users', {
    token,
    body: { email: `${randomUUID()}@acme.example`, password: randomUUID(), roles: ['Viewer'] },
  });
const addAccount = (token: string) =>
  service.call('POST', '/api/service-accounts', { token, body: { name: 'CRM' } });
const statuses = (replies: { status: number }[]) => replies.map(({ status }) => status).sort();

it('a tenant has exactly its quota of users after parallel creates, its administrator included', async () => {
  const { token } = await service.newTenant();
  const replies = await Promise.all(Array.from({ length: 6 }, () => addUser(token)));
  expect(statuses(replies)).toEqual([201, 201, 403, 403, 403, 403]);
  expect(replies.find(({ status }) => status === 403)!.body).toMatchObject({
    errorCode: 'quota_exceeded',
    quota: 'users',
    limit: 3,
    used: 3,
  });
  const made = String(replies.find(({ status }) => status === 201)!.body['id']);
  await service.call('DELETE', `/api/users/${made}`, { token });
  expect((await addUser(token)).status).toBe(201);
});

it('a tenant has exactly its quota of service accounts after parallel creates', async () => {
  const { token } = await service.newTenant();
  expect(statuses(await Promise.all(Array.from({ length: 5 }, () => addAccount(token))))).toEqual([
    201, 201, 403, 403, 403,
  ]);
});

it('an operator sets and resets the limits of a tenant, and its administrator sees them', async () => {
  const { token, tenantId } = await service.newTenant();
  const target = ['--tenant', tenantId, '--quota', 'users'];
  const ops = (...argv: string[]) => runOps(service.settings, 'quotas', ...argv);
  expect(await ops('list')).toEqual({
    status: 0,
    rows: [],
    said: 'identity-svc: no tenant has a limit of its own. --tenant shows the limits of one.\n',
  });
  expect((await ops('set', ...target, '--limit', '1', '--yes')).rows).toEqual([
    expect.objectContaining({ service: 'identity-svc', quota: 'users', limit: 1, used: 1 }),
  ]);
  expect((await addUser(token)).status).toBe(403);
  const { body } = await service.call('GET', '/api/tenant/quotas/accounts', { token });
  expect(body['items']).toEqual([
    { name: 'users', limit: 1, used: 1, isPerDay: false, isOwnLimit: true },
    { name: 'serviceAccounts', limit: 2, used: 0, isPerDay: false, isOwnLimit: false },
  ]);
  await ops('reset', ...target, '--yes');
  expect((await addUser(token)).status).toBe(201);
  expect((await ops('set', '--tenant', tenantId, '--quota', 'forms', '--limit', '1', '--yes')).status).toBe(
    1,
  );
});
