import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

  const importing = (...more: string[]) =>
    runOps(target.settings, 'tenants', 'import', '--folder', folder, '--yes', ...more);
  const inserted = async (...more: string[]) =>
    (await importing('--administrators', '1', ...more)).rows.map(({ inserted: number }) => number);
  expect(await inserted()).toEqual([1, 2, 1, 1, 1]);
  expect(await inserted('--tenant', tenantId)).toEqual([0, 0, 0, 0, 0]);
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
  const into = ['--folder', own, '--administrators', '1', '--yes'];
  const { status, said } = await runOps(target.settings, 'tenants', 'import', ...into);
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
  const into = ['--folder', own, '--tenant', other.tenantId, '--administrators', '1', '--yes'];
  const { status, said } = await runOps(source.settings, 'tenants', 'import', ...into);
  expect([status, said]).toEqual([1, expect.stringContaining('rows of service_accounts are in conflict')]);
  const users = await source.call('GET', '/api/users?total=exact', { token: other.token });
  expect(users.body['total']).toBe(1);
});

describe('an archive from outside', () => {
  const file = path.join(folder, 'identity-svc.ndjson');
  const at = '2026-11-01T00:00:00Z';
  const stranger = {
    id: '4711',
    email: 'stranger@x.example',
    name: null,
    roles: ['Admin'],
    is_enabled: true,
  };
  const write = (tenantId: string, row: object, table = 'users') =>
    writeFileSync(
      file,
      [
        {
          format: 'canvass-tenant',
          formatVersion: 1,
          service: 'identity-svc',
          tenantId,
          tables: { [table]: Object.keys(row) },
        },
        { table, row },
      ]
        .map((line) => JSON.stringify(line))
        .join('\n'),
    );
  const importing = (...more: string[]) =>
    runOps(target.settings, 'tenants', 'import', '--folder', folder, '--yes', ...more);
  const usersOf = async (token: string) =>
    (await target.call('GET', '/api/users?total=exact', { token })).body['total'];

  it('gets no administrator into a tenant that is here, unless both are named', async () => {
    const { tenantId, token } = await target.newTenant();
    write(tenantId, { tenant_id: tenantId, ...stranger, created_at: at });
    const named = ['--tenant', tenantId];
    const refusals = [
      await importing(),
      await importing('--administrators', '1'),
      await importing(...named),
      await importing(...named, '--administrators', '2'),
      await importing('--tenant', '99', '--administrators', '1'),
    ];
    expect(refusals.map(({ status, said }) => [status, said.trim()])).toEqual([
      [1, expect.stringContaining(`pass --tenant ${tenantId}`)],
      [1, expect.stringContaining(`pass --tenant ${tenantId}`)],
      [1, expect.stringMatching(/brings 1 administrators: stranger@x\.example.*pass --administrators 1/)],
      [1, expect.stringContaining('pass --administrators 1')],
      [1, expect.stringContaining('There is no tenant 99')],
    ]);
    expect(await usersOf(token)).toBe(1);
    expect((await importing(...named, '--administrators', '1')).status).toBe(0);
    expect(await usersOf(token)).toBe(2);
    const { body } = await target.call('GET', '/api/audit?area=identity&action=ops.tenants_import', {
      token,
    });
    expect((body['items'] as object[])[0]).toMatchObject({
      actor: { provider: 'ops' },
      after: { administrators: '1' },
    });
  });

  it.each([
    ['of another tenant', { tenant_id: '12' }, 'users.tenant_id is not the tenant'],
    ['without a tenant', { tenant_id: undefined }, 'users.tenant_id is not the tenant'],
    ['with an unknown role', { roles: ['Root'] }, 'users.roles'],
    ['with a text of roles', { roles: '{Admin}' }, 'users.roles'],
    ['without roles', { roles: null }, 'users.roles'],
    ['with no address', { email: 'stranger' }, 'users.email must'],
    ['with an address in capitals', { email: 'Stranger@x.example' }, 'users.email must'],
    ['with a long name', { name: 'x'.repeat(201) }, 'users.name must'],
  ])('is refused for a user %s', async (_what, change, said) => {
    const { tenantId, token } = await target.newTenant();
    write(tenantId, { tenant_id: tenantId, ...stranger, created_at: at, ...change });
    const refused = await importing('--tenant', tenantId, '--administrators', '1');
    expect([refused.status, refused.said]).toEqual([2, expect.stringContaining(`Line 2: ${said}`)]);
    expect(await usersOf(token)).toBe(1);
  });

  it('counts service accounts that may administrate, and refuses settings of a view that are no object', async () => {
    const { tenantId } = await target.newTenant();
    const account = { tenant_id: tenantId, id: '5', client_id: 'sa_x', name: 'CRM', is_enabled: true };
    write(tenantId, { ...account, roles: ['Integration', 'Admin'] }, 'service_accounts');
    const { said } = await importing('--tenant', tenantId);
    expect(said).toContain('brings 1 administrators: sa_x');
    write(tenantId, { ...account, roles: ['Integration'] }, 'service_accounts');
    expect((await importing('--tenant', tenantId, '--administrators', '1')).said).toContain(
      'brings no administrator',
    );
    const view = {
      id: '6',
      owner_provider: 'Service',
      owner_subject: '1',
      screen: 'forms',
      is_default: false,
    };
    write(
      tenantId,
      { tenant_id: tenantId, ...view, name: 'x', visibility: 'tenant', settings: '[]' },
      'views',
    );
    expect(await importing('--tenant', tenantId)).toMatchObject({
      status: 2,
      said: expect.stringContaining('Line 2: views.settings') as string,
    });
  });
});
