import { Problem } from '@canvass/errors';
import type { Algorithm } from 'jsonwebtoken';
import { createAuthenticator, type ExternalProvider } from '../src';
import {
  ecKey,
  jwkOf,
  nowSeconds,
  provider,
  rsaKey,
  signed,
  type TestKey,
  type TestProvider,
} from './provider';

const key = rsaKey();
let idp: TestProvider;

beforeEach(async () => {
  idp = await provider();
  idp.state.keys = [jwkOf(key)];
});
afterEach(() => idp.close());

const claims = (overrides: Record<string, unknown> = {}) => ({
  iss: `${idp.url}/realms/clinic`,
  aud: ['account', 'forms'],
  sub: 'f:9a:anna',
  exp: nowSeconds() + 60,
  realm_access: { roles: ['offline_access', 'form-editors'] },
  ...overrides,
});

function caller(settings: Partial<ExternalProvider>, token: string) {
  return createAuthenticator({
    Providers: [
      {
        Name: 'Keycloak',
        Issuer: `${idp.url}/realms/clinic`,
        Audience: 'forms',
        JwksUri: idp.jwksUri,
        ...settings,
      },
    ],
  }).authenticate(`Bearer ${token}`);
}

const code = (outcome: Promise<unknown>) =>
  outcome.then(
    () => 'accepted',
    (err: unknown) => (err instanceof Problem ? err.errorCode : String(err)),
  );

it('reads the tenant from the configuration and the roles through path and map', async () => {
  await expect(
    caller(
      { TenantId: '42', RoleClaim: 'realm_access.roles', RoleMap: { 'form-editors': ['Editor', 'Viewer'] } },
      signed(key, claims()),
    ),
  ).resolves.toMatchObject({
    provider: 'Keycloak',
    kind: 'external',
    subject: 'f:9a:anna',
    tenantId: '42',
    roles: ['Editor', 'Viewer'],
    claims: { realm_access: { roles: ['offline_access', 'form-editors'] } },
  });
});

it.each<[string, Partial<ExternalProvider>, Record<string, unknown>, string[]]>([
  ['no RoleClaim: no roles', {}, { roles: ['Admin'] }, []],
  [
    'without a map names are used unchanged',
    { RoleClaim: 'roles' },
    { roles: ['Editor', 'Boss'] },
    ['Editor'],
  ],
  ['Admin needs a map', { RoleClaim: 'roles' }, { roles: ['Admin', 'Viewer'] }, ['Viewer']],
  ['Admin with a map', { RoleClaim: 'roles', RoleMap: { Admin: 'Admin' } }, { roles: ['Admin'] }, ['Admin']],
  ['one role as text', { RoleClaim: 'role' }, { role: 'Viewer' }, ['Viewer']],
  [
    'a claim whose name holds dots',
    { RoleClaim: 'https://x.example/roles' },
    { 'https://x.example/roles': ['Viewer'] },
    ['Viewer'],
  ],
  [
    'with a map own role names are ignored',
    { RoleClaim: 'roles', RoleMap: { a: 'Viewer' } },
    { roles: ['Admin'] },
    [],
  ],
  [
    'names that objects inherit',
    { RoleClaim: 'roles', RoleMap: {} },
    { roles: ['constructor', '__proto__'] },
    [],
  ],
  ['a path through something else', { RoleClaim: 'realm_access.roles.0' }, {}, []],
  ['a path to what objects inherit', { RoleClaim: 'constructor.name' }, {}, []],
  ['DefaultRoles apply to every caller', { DefaultRoles: ['Respondent'] }, {}, ['Respondent']],
  [
    'DefaultRoles in addition to those of a claim',
    { RoleClaim: 'roles', DefaultRoles: ['Respondent', 'Viewer'] },
    { roles: ['Viewer'] },
    ['Respondent', 'Viewer'],
  ],
  ['roles that are numbers', { RoleClaim: 'roles' }, { roles: [1, null, {}] }, []],
])('roles: %s', async (_name, settings, overrides, expected) => {
  const principal = await caller({ TenantId: '42', ...settings }, signed(key, claims(overrides)));
  expect(principal?.roles).toEqual(expected);
});

it.each<[unknown, string]>([
  ['77', 'accepted'],
  [77, 'accepted'],
  [undefined, 'invalid_token'],
  ['', 'invalid_token'],
  ['0', 'invalid_token'],
  [0, 'invalid_token'],
  [7.5, 'invalid_token'],
  [-1, 'invalid_token'],
  [2 ** 60, 'invalid_token'],
  ['9223372036854775808', 'invalid_token'],
  [['77'], 'invalid_token'],
  ['acme', 'invalid_token'],
])('tenant claim %j: %s', async (value, expected) => {
  expect(
    await code(caller({ TenantClaim: 'org.tenant' }, signed(key, claims({ org: { tenant: value } })))),
  ).toBe(expected);
});

it.each<[Algorithm, () => TestKey]>([
  ['RS256', () => key],
  ['RS384', () => key],
  ['RS512', () => key],
  ['PS256', () => key],
  ['PS512', () => key],
  ['ES256', () => ecKey('P-256')],
  ['ES384', () => ecKey('P-384')],
  ['ES512', () => ecKey('P-521')],
])('accepts %s', async (algorithm, keyOf) => {
  const own = keyOf();
  idp.state.keys = [jwkOf(own)];
  expect(await code(caller({ TenantId: '42' }, signed(own, claims(), {}, algorithm)))).toBe('accepted');
});

it('refuses a token of one provider under the name of another', async () => {
  const other = await provider();
  const otherKey = rsaKey();
  other.state.keys = [jwkOf(otherKey)];
  const authenticator = createAuthenticator({
    Own: { Issuer: 'canvass-identity', Audience: 'canvass-api', JwksUri: other.jwksUri },
    Providers: [
      {
        Name: 'A',
        Issuer: `${idp.url}/realms/clinic`,
        Audience: 'forms',
        JwksUri: idp.jwksUri,
        TenantId: '1',
      },
    ],
  });
  expect(await code(authenticator.authenticate(`Bearer ${signed(otherKey, claims())}`))).toBe(
    'invalid_token',
  );
  const asOwn = signed(key, claims({ iss: 'canvass-identity', aud: 'canvass-api', tid: '1', kind: 'user' }));
  expect(await code(authenticator.authenticate(`Bearer ${asOwn}`))).toBe('invalid_token');
  await other.close();
});

describe('discovery', () => {
  const discovering = () =>
    createAuthenticator({
      Providers: [
        { Name: 'Keycloak', Issuer: `${idp.url}/realms/clinic`, Audience: 'forms', TenantId: '42' },
      ],
    }).authenticate(`Bearer ${signed(key, claims())}`);

  it('finds the key set through the metadata of the issuer', async () => {
    idp.state.discovery = { issuer: `${idp.url}/realms/clinic`, jwks_uri: idp.jwksUri };
    expect(await code(discovering())).toBe('accepted');
  });

  it.each([
    ['no metadata', () => undefined],
    ['metadata of another issuer', () => ({ issuer: idp.url, jwks_uri: idp.jwksUri })],
    ['no address', () => ({ issuer: `${idp.url}/realms/clinic` })],
    [
      'an address that is a file',
      () => ({ issuer: `${idp.url}/realms/clinic`, jwks_uri: 'file:///etc/passwd' }),
    ],
  ])('rejects %s', async (_name, discovery) => {
    idp.state.discovery = discovery();
    expect(await code(discovering())).toBe('service_unavailable');
    expect(idp.state.fetches).toBe(0);
  });
});

it('accepts only the tenants that the provider may name', async () => {
  const settings = { TenantClaim: 'org', Tenants: ['42', '43'] };
  const named = (org: string) => caller(settings, signed(key, claims({ org })));
  await expect(named('43')).resolves.toMatchObject({ tenantId: '43' });
  expect(await code(named('44'))).toBe('invalid_token');
  await expect(caller({ TenantClaim: 'org' }, signed(key, claims({ org: '44' })))).resolves.toMatchObject({
    tenantId: '44',
  });
});
