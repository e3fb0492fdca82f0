import { testIssuer } from '@canvass/testing';
import { randomBytes, randomUUID } from 'node:crypto';
import { codeOf, stepAt } from '../src/second-factor/totp';
import { newUser, proofOf, startCopy, startHarness, type Harness } from './harness';

/** A stolen access token is not enough to change how a user signs in. */
let service: Harness;
beforeAll(async () => {
  service = await startHarness();
});
afterAll(() => service.close());

const call = (...request: Parameters<Harness['call']>) => service.call(...request);
const aPassword = () => randomBytes(12).toString('hex');
const signIn = async ({ email, password }: { email: string; password: string }) =>
  (await call('POST', '/api/auth/login', { body: { email, password } })).status;

const writes = (id: string): [method: string, path: string, body?: object][] => [
  ['PATCH', `/api/users/${id}`, { password: aPassword() }],
  ['PATCH', `/api/users/${id}`, { email: `${randomUUID()}@acme.example` }],
  ['PATCH', `/api/users/${id}`, { name: 'Me' }],
  ['DELETE', `/api/users/${id}`],
  ['POST', `/api/users/${id}/password-link`],
  ['DELETE', `/api/users/${id}/password-link`],
  ['DELETE', `/api/users/${id}/second-factor`],
  ['DELETE', `/api/users/${id}/sessions`],
  ['DELETE', `/api/users/${id}/sessions/1`],
];

it('the operations on users refuse the own id, also with a proof, and name the way for the own account', async () => {
  const tenant = await service.newTenant();
  const { token, adminId } = tenant;
  const headers = await proofOf(service, tenant);
  for (const [method, path, body] of writes(adminId)) {
    const reply = await call(method, path, { token, headers, ...(body && { body }) });
    expect([method, path, reply.status, reply.body['errorCode']]).toEqual([method, path, 403, 'own_account']);
    expect(reply.body['detail']).toContain('/api/auth/');
  }
  expect((await call('GET', `/api/users/${adminId}`, { token })).body).toMatchObject({ revision: '1' });
  expect(await signIn(tenant.admin)).toBe(200);
});

describe('changes of how another user signs in', () => {
  const asking = (id: string) =>
    writes(id).filter(([method, path, body]) =>
      method === 'PATCH' ? !('name' in body!) : /link$/.test(path) ? method === 'POST' : /factor$/.test(path),
    );

  it('need a proof; other changes do not', async () => {
    const tenant = await service.newTenant();
    const { token } = tenant;
    const { id } = await newUser(service, token);
    for (const [method, path, body] of asking(id)) {
      const reply = await call(method, path, { token, ...(body && { body }) });
      expect([method, path, reply.status, reply.body['errorCode']]).toEqual([
        method,
        path,
        403,
        'proof_required',
      ]);
      expect(reply.body['detail']).toContain('/api/auth/me/proof');
    }
    const harmless = { name: 'Ada', roles: ['Viewer'], isEnabled: true };
    expect((await call('PATCH', `/api/users/${id}`, { token, body: harmless })).status).toBe(200);
    const headers = await proofOf(service, tenant);
    const statuses = [];
    for (const [method, path, body] of asking(id))
      statuses.push((await call(method, path, { token, headers, ...(body && { body }) })).status);
    expect(statuses).toEqual([200, 200, 200, 404]);
  });

  it('a proof belongs to a session, ends with the password, and expires', async () => {
    const tenant = await service.newTenant();
    const headers = await proofOf(service, tenant);
    const { id } = await newUser(service, tenant.token);
    const link = (token: string, sent: Record<string, string>) =>
      call('POST', `/api/users/${id}/password-link`, { token, headers: sent });
    expect((await link(tenant.token, headers)).status).toBe(200);
    const other = await call('POST', '/api/auth/login', { body: tenant.admin });
    const refused = [
      await link(String(other.body['accessToken']), headers),
      await link(tenant.token, { 'x-canvass-proof': 'v1.k1.x.y' }),
      await link(tenant.token, { 'x-canvass-proof': '' }),
      await link(tenant.token, await proofOf(service, await service.newTenant())),
    ];
    expect(refused.map(({ body }) => body['errorCode'])).toEqual(refused.map(() => 'proof_required'));

    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 6 * 60_000);
    const old = await proofOf(service, tenant);
    now.mockRestore();
    expect((await link(tenant.token, old)).status).toBe(403);

    const colleague = await newUser(service, tenant.token, { roles: ['Admin'] });
    const session = await call('POST', '/api/auth/login', {
      body: { email: colleague.email, password: colleague.password },
    });
    const theirs = { token: String(session.body['accessToken']), admin: colleague };
    const proof = await proofOf(service, theirs);
    const refresh = async () =>
      String(
        (
          await call('POST', '/api/auth/refresh-token', {
            body: { refreshToken: session.body['refreshToken'] },
          })
        ).body['accessToken'],
      );
    const roles = ['Admin', 'Viewer'];
    await call('PATCH', `/api/users/${colleague.id}`, { token: tenant.token, body: { roles } });
    expect((await link(await refresh(), proof)).body['errorCode']).toBe('proof_required');
  });

  it('a proof needs the password, which is limited, and the code of a second factor', async () => {
    const tenant = await service.newTenant();
    const user = await newUser(service, tenant.token);
    const { body } = await call('POST', '/api/auth/login', {
      body: { email: user.email, password: user.password },
    });
    const token = String(body['accessToken']);
    const post = (path: string, sent: object) => call('POST', path, { token, body: sent });
    const prove = (sent: object) => post('/api/auth/me/proof', sent);
    const currentPassword = user.password;
    const wrong = await prove({ currentPassword: 'a guess' });
    expect([wrong.status, wrong.body['errors']]).toEqual([400, { currentPassword: ['is wrong'] }]);
    expect((await prove({ currentPassword })).status).toBe(200);

    const factor = '/api/auth/me/second-factor';
    const secret = String((await post(factor, { currentPassword })).body['secret']);
    const code = (steps: number) => codeOf(secret, stepAt(Date.now()) + steps);
    expect((await post(`${factor}/confirm`, { code: code(-1) })).status).toBe(200);
    const newPassword = aPassword();
    const all: [string, object][] = [
      ['/api/auth/me/proof', {}],
      [`${factor}/remove`, {}],
      ['/api/auth/me/password', { newPassword }],
    ];
    for (const [path, more] of all) {
      for (const guess of [currentPassword, 'a guess']) {
        const without = await post(path, { currentPassword: guess, ...more });
        expect([path, without.status, Object.keys(without.body['errors'] as object)]).toEqual([
          path,
          400,
          ['code'],
        ]);
      }
      const other = await post(path, { currentPassword, code: '000000', ...more });
      expect([other.status, other.body['errors']]).toEqual([400, { code: ['is wrong or was used before'] }]);
    }
    const right = { currentPassword, code: code(1) };
    expect((await prove(right)).status).toBe(200);
    expect((await prove(right)).status).toBe(400);
    for (let i = 0; i < 9; i += 1) await prove({ currentPassword: 'a guess', code: code(1) });
    expect((await prove({ currentPassword: 'a guess', code: code(1) })).status).toBe(429);
  });

  it('service accounts and users of other providers need no proof', async () => {
    const keycloak = await testIssuer({ shape: 'keycloak' });
    const { issuer: Issuer, audience: Audience, jwksUri: JwksUri } = keycloak;
    const RoleMap = { Admin: 'Admin' };
    const provider = { Name: 'Keycloak', Issuer, Audience, JwksUri, TenantClaim: 'org' };
    const copy = await startCopy({
      ...service.settings,
      Auth: {
        ...service.settings.Auth,
        Providers: [{ ...provider, RoleClaim: 'realm_access.roles', RoleMap } as never],
      },
    });
    await copy.ready;
    const tenant = await service.newTenant();
    const { id } = await newUser(service, tenant.token);
    const external = keycloak.token({ org: tenant.tenantId, roles: ['Admin'], sub: id });
    const account = await call('POST', '/api/service-accounts', {
      token: tenant.token,
      body: { name: 'Directory', roles: ['Admin'] },
    });
    const form = { grant_type: 'client_credentials', client_id: String(account.body['clientId']) };
    const { body } = await call('POST', '/api/auth/token', {
      body: { ...form, client_secret: String(account.body['clientSecret']) },
    });
    for (const token of [external, String(body['access_token'])]) {
      const path = `/api/users/${id}`;
      const change = { password: aPassword(), email: `${randomUUID()}@acme.example` };
      expect((await copy.call('PATCH', path, { token, body: change })).status).toBe(200);
      expect((await copy.call('POST', `${path}/password-link`, { token })).status).toBe(200);
      const proof = await copy.call('POST', '/api/auth/me/proof', { token, body: { currentPassword: 'x' } });
      expect(proof.status).toBe(403);
    }
    await copy.stop();
    await keycloak.close();
  });
});

describe('PATCH /api/auth/me', () => {
  it('changes the own name and address with the password', async () => {
    const tenant = await service.newTenant();
    const { token, admin } = tenant;
    const change = (body: object) => call('PATCH', '/api/auth/me', { token, body });
    expect(Object.keys((await change({ name: 'Ada' })).body['errors'] as object)).toEqual([
      'currentPassword',
    ]);
    expect((await change({ currentPassword: 'a guess', name: 'Ada' })).status).toBe(400);
    const currentPassword = admin.password;
    expect((await change({ currentPassword })).status).toBe(200);
    expect((await change({ currentPassword, roles: ['Viewer'], name: 'Ada' })).status).toBe(400);
    expect((await change({ currentPassword, name: 'Ada' })).body).toMatchObject({ name: 'Ada' });
    const email = `${randomUUID()}@acme.example`;
    expect((await change({ currentPassword, email })).body).toMatchObject({ email, name: 'Ada' });
    const next = { email, password: admin.password };
    expect(await signIn(next)).toBe(401); // its mailbox is not proved
    const named = { ...next, tenant: tenant.name };
    expect((await call('POST', '/api/auth/login', { body: named })).status).toBe(200);
  });

  it('is for those who may change users, and not for addresses that are used', async () => {
    const { token, admin } = await service.newTenant();
    const viewer = await newUser(service, token, { roles: ['Viewer'] });
    const session = await call('POST', '/api/auth/login', {
      body: { email: viewer.email, password: viewer.password },
    });
    const body = { currentPassword: viewer.password, name: 'Ada' };
    const asViewer = { token: String(session.body['accessToken']), body };
    expect((await call('PATCH', '/api/auth/me', asViewer)).status).toBe(403);
    const used = { currentPassword: admin.password, email: viewer.email };
    const reply = await call('PATCH', '/api/auth/me', { token, body: used });
    expect([reply.status, reply.body['errorCode']]).toEqual([409, 'email_already_exists']);
  });
});
