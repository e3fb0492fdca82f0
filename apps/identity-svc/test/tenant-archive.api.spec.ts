import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { newUser, startHarness, type Harness } from './harness';
import { runOps } from './ops';

let source: Harness;
let target: Harness;
const folder = mkdtempSync(path.join(os.tmpdir(), 'tenant-'));
beforeAll(async () => {
  [source, target] = await Promise.all([startHarness(), startHarness()]);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all([source.close(), target.close()]);
});

it('moves users without passwords and service accounts without secrets', async () => {
  const { tenantId, token, admin, name } = await source.newTenant();
  const user = await newUser(source, token, { roles: ['Editor'] });
  const { body: account } = await source.call('POST', '/api/service-accounts', {
    token,
    body: { name: 'CRM', roles: ['Integration'] },
  });
  const view = { screen: 'forms', name: 'Mine', settings: { columns: ['name'] } };
  expect((await source.call('POST', '/api/views', { token, body: view })).status).toBe(201);
  const preferences = { settings: { language: 'de' } };
  await source.call('PUT', '/api/auth/me/preferences', { token, body: preferences });
  const exported = await runOps(
    source.settings,
    'tenants',
    'export',
    '--tenant',
    tenantId,
    '--folder',
    folder,
  );
  expect([exported.status, exported.rows.map(({ table, rows }) => [table, rows])]).toEqual([
    0,
    [
      ['tenants', 1],
      ['users', 2],
      ['service_accounts', 1],
      ['views', 1],
      ['preferences', 1],
    ],
  ]);
  expect(readFileSync(path.join(folder, 'identity-svc.ndjson'), 'utf8')).not.toMatch(/argon2|secret_hash/);

  const importing = () => runOps(target.settings, 'tenants', 'import', '--folder', folder, '--yes');
  const inserted = async () => (await importing()).rows.map(({ inserted: number }) => number);
  expect(await inserted()).toEqual([1, 2, 1, 1, 1]);
  expect(await inserted()).toEqual([0, 0, 0, 0, 0]);
  const { rows: tenants } = await runOps(target.settings, 'tenants', 'list');
  expect(tenants).toContainEqual(expect.objectContaining({ id: tenantId, name }));
  for (const login of [admin, { email: user.email, password: user.password }])
    expect((await target.call('POST', '/api/auth/login', { body: login })).status).toBe(401);
  const credentials = { client_id: account['clientId'], client_secret: account['clientSecret'] };
  const grant = { grant_type: 'client_credentials', ...credentials };
  expect((await target.call('POST', '/api/auth/token', { body: grant })).status).toBe(401);

  // With a link the administrator is in, sees the users as they were, and gives the account a new secret.
  const { rows } = await runOps(
    target.settings,
    'users',
    'reset-password',
    '--tenant',
    tenantId,
    '--email',
    admin.email,
    '--yes',
  );
  const password = 'a new password of the administrator';
  const reset = { token: rows[0]!['token'], newPassword: password };
  expect((await target.call('POST', '/api/auth/password-reset', { body: reset })).status).toBe(204);
  const signIn = { email: admin.email, password };
  const there = String((await target.call('POST', '/api/auth/login', { body: signIn })).body['accessToken']);
  const seen = async (harness: Harness, bearer: string) =>
    (await harness.call('GET', `/api/users/${user.id}`, { token: bearer })).body;
  expect(await seen(target, there)).toEqual(await seen(source, token));
  const rotated = await target.call('POST', `/api/service-accounts/${String(account['id'])}/rotate-secret`, {
    token: there,
  });
  expect(rotated.status).toBe(200);
});

it('refuses a tenant whose name another one has', async () => {
  const { tenantId, name } = await source.newTenant();
  const own = path.join(folder, 'other');
  await runOps(source.settings, 'tenants', 'export', '--tenant', tenantId, '--folder', own);
  const admin = ['--admin', 'admin@other.example', '--yes'];
  expect((await runOps(target.settings, 'tenants', 'create', '--name', name, ...admin)).status).toBe(0);
  const { status, said } = await runOps(target.settings, 'tenants', 'import', '--folder', own, '--yes');
  expect([status, said]).toEqual([1, expect.stringContaining('1 rows of tenants are in conflict')]);
});

it('inserts nothing of an archive that it refuses for its last rows', async () => {
  const { tenantId, token } = await source.newTenant();
  const body = { name: 'CRM', roles: ['Integration'] };
  expect((await source.call('POST', '/api/service-accounts', { token, body })).status).toBe(201);
  const own = path.join(folder, 'same');
  await runOps(source.settings, 'tenants', 'export', '--tenant', tenantId, '--folder', own);
  // The client id of the account belongs to the first tenant.
  const other = await source.newTenant();
  const into = ['--folder', own, '--tenant', other.tenantId, '--yes'];
  const { status, said } = await runOps(source.settings, 'tenants', 'import', ...into);
  expect([status, said]).toEqual([1, expect.stringContaining('rows of service_accounts are in conflict')]);
  const users = await source.call('GET', '/api/users', { token: other.token });
  expect(users.body['totalRecords']).toBe(1);
});
