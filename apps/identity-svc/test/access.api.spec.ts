import { testIssuer, type TestIssuer } from '@canvass/testing';
import { startHarness, newUser, type Harness } from './harness';

let service: Harness;
let keycloak: TestIssuer;
beforeAll(async () => {
  keycloak = await testIssuer({ shape: 'keycloak' });
  const { issuer: Issuer, audience: Audience, jwksUri: JwksUri } = keycloak;
  service = await startHarness({
    Auth: {
      Providers: [
        {
          Name: 'Keycloak',
          Issuer,
          Audience,
          JwksUri,
          TenantClaim: 'org',
          RoleClaim: 'realm_access.roles',
          RoleMap: { Admin: 'Admin', Viewer: 'Viewer' },
        },
      ],
    },
  });
});
afterAll(async () => {
  await service.close();
  await keycloak.close();
});

const managed: [method: string, path: (user: string, account: string) => string, body?: object][] = [
  ['GET', () => '/api/users'],
  ['GET', () => '/api/roles'],
  ['POST', () => '/api/users', { email: 'x@y.example', password: 'long enough' }],
  ['GET', (user) => `/api/users/${user}`],
  ['PATCH', (user) => `/api/users/${user}`, { name: 'taken over' }],
  ['DELETE', (user) => `/api/users/${user}`],
  ['GET', () => '/api/service-accounts'],
  ['POST', () => '/api/service-accounts', { name: 'x' }],
  ['GET', (_user, account) => `/api/service-accounts/${account}`],
  ['PATCH', (_user, account) => `/api/service-accounts/${account}`, { name: 'taken over' }],
  ['DELETE', (_user, account) => `/api/service-accounts/${account}`],
];

async function owned() {
  const tenant = await service.newTenant();
  const user = await newUser(service, tenant.token);
  const account = await service.call('POST', '/api/service-accounts', {
    token: tenant.token,
    body: { name: 'CRM' },
  });
  return { tenant, userId: user.id, accountId: String(account.body['id']) };
}

describe.each(managed)('%s %#', (method, path, body) => {
  it("is a 404 with another tenant's id, and shows and changes nothing", async () => {
    const { tenant, userId, accountId } = await owned();
    const stranger = await service.newTenant();
    const target = path(userId, accountId);
    const byId = target !== path('', '');
    if (byId) {
      const { status } = await service.call(method, target, {
        token: stranger.token,
        ...(body ? { body } : {}),
      });
      expect(status).toBe(404);
    } else if (method === 'GET') {
      const { body: list } = await service.call(method, target, { token: stranger.token });
      expect(JSON.stringify(list)).not.toContain(userId);
      expect(JSON.stringify(list)).not.toContain(accountId);
    }
    for (const own of [`/api/users/${userId}`, `/api/service-accounts/${accountId}`]) {
      const { status, body: still } = await service.call('GET', own, { token: tenant.token });
      expect(status).toBe(200);
      expect(still['name']).not.toBe('taken over');
    }
  });

  it('is a 401 without a token and a 403 for every role but Admin', async () => {
    const { tenant, userId, accountId } = await owned();
    const sent = body ? { body } : {};
    expect((await service.call(method, path(userId, accountId), sent)).status).toBe(401);
    const login = await newUser(service, tenant.token, { roles: ['Editor', 'Viewer', 'Integration'] });
    const { id: _, ...credentials } = login;
    const session = await service.call('POST', '/api/auth/login', { body: credentials });
    const token = String(session.body['accessToken']);
    const { status, headers } = await service.call(method, path(userId, accountId), { token, ...sent });
    expect(status).toBe(403);
    expect(headers.get('www-authenticate')).toContain('insufficient_scope');
  });
});

describe('a caller of an external provider', () => {
  it('manages the users of its tenant with the role', async () => {
    const { tenant } = await owned();
    const token = keycloak.token({ org: tenant.tenantId, roles: ['Admin'], name: 'Kim' });
    expect((await service.call('GET', '/api/users?total=exact', { token })).body['total']).toBe(2);
    const { body } = await service.call('GET', '/api/auth/me', { token });
    expect(body).toMatchObject({
      kind: 'external',
      provider: 'Keycloak',
      name: 'Kim',
      tenantName: tenant.name,
    });
  });

  it('of a tenant that is unknown here can read its principal, and create no users', async () => {
    const token = keycloak.token({ org: '77', roles: ['Admin'] });
    expect((await service.call('GET', '/api/auth/me', { token })).body).toMatchObject({
      tenantId: '77',
      tenantName: null,
    });
    const user = { email: 'unknown@x.example', password: 'long enough' };
    expect((await service.call('POST', '/api/users', { token, body: user })).status).toBe(404);
    expect((await service.call('POST', '/api/service-accounts', { token, body: { name: 'x' } })).status).toBe(
      404,
    );
  });

  it('without the role gets a 403, without a tenant a 401', async () => {
    const viewer = keycloak.token({ org: '77', roles: ['Viewer'] });
    expect((await service.call('GET', '/api/users', { token: viewer })).status).toBe(403);
    const homeless = keycloak.token({ roles: ['Admin'] });
    expect((await service.call('GET', '/api/users', { token: homeless })).status).toBe(401);
  });
});
