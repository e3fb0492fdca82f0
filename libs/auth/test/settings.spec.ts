import {
  authSettingsSchema,
  internalSettingsSchema,
  permissions,
  requirePermission,
  rolePermissions,
  type Principal,
} from '../src';

const own = {
  JwksUri: 'http://identity:8080/.well-known/jwks.json',
  RevocationsUri: 'http://identity:9080/internal/revocations',
};
const idp = { Name: 'Keycloak', Issuer: 'https://id.example/realms/a', Audience: 'forms', TenantId: '1' };
const fault = (value: unknown) => authSettingsSchema.validate(value, { abortEarly: false }).error?.message;

it('fills the defaults', () => {
  expect(authSettingsSchema.validate({ Own: own }).value).toEqual({
    Own: { Issuer: 'canvass-identity', Audience: 'canvass-api', RevocationGraceSeconds: 60, ...own },
    Providers: [],
  });
});

it.each<[string, unknown, RegExp]>([
  ['no key address', { Own: {} }, /JwksUri/],
  ['no address of revocations', { Own: { JwksUri: own.JwksUri } }, /RevocationsUri/],
  ['a key address that is a file', { Own: { JwksUri: 'file:///keys' } }, /JwksUri/],
  ['an unknown key', { Own: own, Extra: 1 }, /Extra/],
  ['the name of the own provider', { Providers: [{ ...idp, Name: 'Service' }] }, /Name/],
  ['the name of on-behalf respondents', { Providers: [{ ...idp, Name: 'Integration' }] }, /Name/],
  ['no tenant', { Providers: [{ ...idp, TenantId: undefined }] }, /TenantId, TenantClaim/],
  ['two sources of the tenant', { Providers: [{ ...idp, TenantClaim: 't' }] }, /TenantId/],
  ['tenant 0', { Providers: [{ ...idp, TenantId: '0' }] }, /TenantId/],
  ['a role that does not exist', { Providers: [{ ...idp, RoleMap: { a: 'Root' } }] }, /RoleMap/],
  ['two providers of one issuer', { Providers: [idp, { ...idp, Name: 'B' }] }, /duplicate/],
])('refuses %s', (_name, value, message) => {
  expect(fault(value)).toMatch(message);
});

it('accepts one or several roles in the map', () => {
  expect(
    fault({ Providers: [{ ...idp, RoleMap: { a: 'Admin', b: ['Viewer', 'Integration'] } }] }),
  ).toBeUndefined();
});

it('requires a long internal secret', () => {
  expect(internalSettingsSchema.validate({ Secret: 'short' }).error).toBeDefined();
  expect(internalSettingsSchema.validate({ Secret: 'x'.repeat(32) }).error).toBeUndefined();
});

describe('permissions', () => {
  const caller = (role: 'Viewer' | 'Integration'): Principal => ({
    provider: 'Service',
    kind: 'user',
    subject: '1',
    tenantId: '1',
    roles: [role],
    permissions: new Set(rolePermissions[role]),
    claims: {},
  });

  it('only an administrator may manage users and the tenant', () => {
    expect(rolePermissions.Admin).toEqual(permissions);
    for (const role of ['Editor', 'Viewer', 'Integration'] as const) {
      expect(rolePermissions[role]).not.toContain('Users.Manage');
      expect(rolePermissions[role]).not.toContain('Tenant.Manage');
    }
  });

  it('an integration may create on behalf and view submissions, nothing else', () => {
    expect(rolePermissions.Integration).toEqual(['Submissions.CreateOnBehalf', 'Submissions.View']);
  });

  it('lets pass, asks to authenticate, or refuses, with the challenge of RFC 6750', () => {
    expect(requirePermission(caller('Integration'), 'Submissions.View').subject).toBe('1');
    expect(() => requirePermission(null, 'Forms.View')).toThrow(
      expect.objectContaining({ status: 401, headers: { 'WWW-Authenticate': 'Bearer realm="canvass"' } }),
    );
    expect(() => requirePermission(caller('Viewer'), 'Submissions.CreateOnBehalf')).toThrow(
      expect.objectContaining({
        status: 403,
        headers: { 'WWW-Authenticate': expect.stringContaining('insufficient_scope') },
      }),
    );
  });
});

describe('addresses of external providers', () => {
  const problemOf = (provider: object) =>
    authSettingsSchema.validate({ Providers: [{ ...idp, ...provider }] }).error?.message;

  it.each(['http://id.example/realms/a', 'http://127.0.0.1.id.example', 'http://10.0.0.1:8080'])(
    'must be https: %s',
    (address) => {
      for (const key of ['Issuer', 'JwksUri'])
        expect(problemOf({ [key]: address })).toContain('must be https, except on a loopback address');
    },
  );

  it.each(['http://localhost:8080/a', 'http://127.0.0.1:8080', 'http://[::1]:8080', 'https://id.example'])(
    'may be %s',
    (address) => {
      for (const key of ['Issuer', 'JwksUri']) expect(problemOf({ [key]: address })).toBeUndefined();
    },
  );

  it('tenants need the claim that names one', () => {
    expect(problemOf({ Tenants: ['42'] })).toContain('TenantClaim');
    expect(problemOf({ TenantId: undefined, TenantClaim: 'org', Tenants: ['42'] })).toBeUndefined();
  });
});
