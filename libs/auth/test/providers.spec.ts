import { generateKeyPairSync, sign as signBytes, type JsonWebKey } from 'node:crypto';
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

/*
 * Tokens as other people's providers issue them: the members are those of their documentation and source, the
 * values are made up. `iss` and `exp` are set by the test.
 */

const rsa = rsaKey();
const ec = ecKey();
const ed: TestKey = { kid: 'ed', ...generateKeyPairSync('ed25519') };
let idp: TestProvider;

beforeEach(async () => {
  idp = await provider();
  idp.state.keys = [jwkOf(rsa), jwkOf(ec), jwkOf(ed)];
});
afterEach(() => idp.close());

function signedBy(key: TestKey, claims: object, header: object = {}): string {
  const all = { iss: idp.url, exp: nowSeconds() + 300, iat: nowSeconds(), ...claims };
  if (key !== ed) return signed(key, all, { ...header }, key === ec ? 'ES256' : 'RS256');
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const input = `${part({ alg: 'EdDSA', kid: key.kid, ...header })}.${part(all)}`;
  return `${input}.${signBytes(null, Buffer.from(input), key.privateKey).toString('base64url')}`;
}

const rolesOf = async (
  settings: Partial<ExternalProvider>,
  token: string,
): Promise<readonly string[] | string> => {
  const given = { Name: 'Idp', Issuer: idp.url, Audience: 'canvass', TenantId: '42', JwksUri: idp.jwksUri };
  const authenticator = createAuthenticator({ Providers: [{ ...given, ...settings }] });
  return authenticator.authenticate(`Bearer ${token}`).then(
    (principal) => principal!.roles,
    (error: Error & { detail?: string }) => error.detail ?? error.message,
  );
};

const zitadelRoles = 'urn:zitadel:iam:org:project:roles';
const zitadelGrant = { '310101': 'clinic.zitadel.example' };
const entra = { ver: '2.0', azp: 'c11e', azpacr: '0', oid: 'b2f0', tid: '5d4c', uti: 'x1', rh: '0.AX' };

interface Profile {
  settings: Partial<ExternalProvider>;
  claims: object;
  header?: object;
  key?: TestKey;
}

const profiles: [name: string, profile: Profile][] = [
  [
    'Keycloak 26', // keycloak/keycloak, AccessToken.java
    {
      settings: { RoleClaim: 'realm_access.roles' },
      claims: {
        typ: 'Bearer',
        azp: 'console',
        aud: ['account', 'canvass'],
        sub: 'f81d',
        sid: 'a1',
        acr: '1',
        scope: 'openid profile',
        realm_access: { roles: ['offline_access', 'Editor'] },
        resource_access: { account: { roles: ['view-profile'] } },
      },
      header: { typ: 'JWT' },
    },
  ],
  [
    'Keycloak 24 with the nonce of the sign-in', // keycloak/keycloak#26893
    {
      settings: { RoleClaim: 'resource_access.canvass.app.roles' },
      claims: {
        typ: 'Bearer',
        azp: 'canvass',
        aud: 'canvass',
        sub: 'f81d',
        nonce: 'n-0S6',
        at_hash: 'x',
        resource_access: { 'canvass.app': { roles: ['Editor'] } },
      },
    },
  ],
  [
    'authentik', // goauthentik/authentik, providers/oauth2/id_token.py
    {
      settings: { RoleClaim: 'groups' },
      claims: {
        aud: 'canvass',
        sub: 'b9e6',
        auth_time: 1,
        acr: 'goauthentik.io/providers/oauth2/default',
        amr: ['pwd'],
        nonce: 'n-0S6',
        groups: ['Editor', 'authentik Admins'],
        azp: 'canvass',
        uid: 'Jz1',
      },
      header: { typ: 'JWT' },
    },
  ],
  [
    'Zitadel', // zitadel.com, Claims in ZITADEL
    {
      settings: { RoleClaim: zitadelRoles },
      claims: {
        aud: ['2871@clinic', 'canvass'],
        sub: '2850',
        jti: 'V2_1',
        nbf: 1,
        client_id: '2871@clinic',
        [zitadelRoles]: { Editor: zitadelGrant, unknown: zitadelGrant },
      },
    },
  ],
  [
    'Auth0', // auth0.com, Access Token Profiles
    {
      settings: { RoleClaim: 'https://clinic.example/claims.roles' },
      claims: {
        aud: ['canvass', 'https://clinic.eu.auth0.com/userinfo'],
        sub: 'auth0|64',
        azp: 'xL2',
        scope: 'openid',
        permissions: [],
        'https://clinic.example/claims': { roles: ['Editor'] },
      },
      header: { typ: 'at+jwt' },
    },
  ],
  [
    'Auth0 with a namespaced claim',
    {
      settings: { RoleClaim: 'https://clinic.example/roles' },
      claims: {
        aud: 'canvass',
        sub: 'auth0|64',
        gty: 'password',
        'https://clinic.example/roles': ['Editor'],
      },
      header: { typ: 'JWT' },
    },
  ],
  [
    'Okta', // developer.okta.com, Access tokens
    {
      settings: { RoleClaim: 'groups' },
      claims: {
        ver: 1,
        jti: 'AT.1',
        aud: 'canvass',
        cid: '0oa1',
        uid: '00u1',
        scp: ['openid'],
        auth_time: 1,
        sub: 'anna@clinic.example',
        groups: ['Everyone', 'Editor'],
      },
    },
  ],
  [
    'Entra ID', // learn.microsoft.com, Access token claims reference
    {
      settings: { RoleClaim: 'roles' },
      claims: { ...entra, aud: 'canvass', sub: 'AAAA', roles: ['Editor'], scp: 'access_as_user' },
      header: { typ: 'JWT', x5t: 'abc' },
    },
  ],
  [
    'Entra ID for an application',
    {
      settings: { RoleClaim: 'roles' },
      claims: { ...entra, aud: 'canvass', sub: 'b2f0', idtyp: 'app', roles: ['Editor'] },
      header: { typ: 'JWT' },
    },
  ],
  [
    'Google', // developers.google.com, OpenID Connect: its access tokens are not JWT
    {
      settings: { AcceptIdTokens: true, DefaultRoles: ['Editor'] },
      claims: {
        azp: 'canvass',
        aud: 'canvass',
        sub: '1076',
        hd: 'clinic.example',
        at_hash: 'HK6',
        nonce: '0394',
      },
      header: { typ: 'JWT' },
    },
  ],
  [
    'Dex', // dexidp/dex, server/oauth2.go: an access token is made as an ID token
    {
      settings: { AcceptIdTokens: true, RoleClaim: 'groups' },
      claims: { aud: 'canvass', sub: 'CgEx', nonce: 'n', at_hash: 'aa', groups: ['Editor'], name: 'anna' },
    },
  ],
  [
    'GitLab', // gitlab.com, OpenID Connect provider: its access tokens are not JWT
    {
      settings: { AcceptIdTokens: true, RoleClaim: 'groups_direct', RoleMap: { 'clinic/editors': 'Editor' } },
      claims: {
        aud: 'canvass',
        sub: '77',
        auth_time: 1,
        sub_legacy: 'a5',
        nonce: 'n',
        groups_direct: ['clinic/editors'],
      },
      header: { typ: 'JWT' },
    },
  ],
  [
    'Ory Hydra', // ory/fosite, token/jwt/claims_jwt.go
    {
      settings: { RoleClaim: 'ext.roles' },
      claims: {
        aud: ['canvass'],
        client_id: 'console',
        ext: { roles: ['Editor'] },
        jti: 'j',
        nbf: 1,
        scp: ['openid'],
        sub: 'anna',
      },
    },
  ],
  [
    'ES256',
    { settings: { RoleClaim: 'roles' }, claims: { aud: 'canvass', sub: 'a', roles: ['Editor'] }, key: ec },
  ],
  [
    'EdDSA',
    { settings: { RoleClaim: 'roles' }, claims: { aud: 'canvass', sub: 'a', roles: ['Editor'] }, key: ed },
  ],
];

it.each(profiles)('%s signs in with its roles', async (_name, { settings, claims, header, key = rsa }) => {
  expect(await rolesOf(settings, signedBy(key, claims, header))).toEqual(['Editor']);
});

it.each<[what: string, claim: unknown, settings: Partial<ExternalProvider>]>([
  ['an array', ['Editor', 'Viewer'], {}],
  ['keys of an object', { Editor: {}, Viewer: null }, {}],
  ['words', 'Editor Viewer', {}],
  ['words after commas', 'Editor, Viewer', {}],
  [
    'a name with a space',
    'survey staff',
    { RoleMap: { 'survey staff': ['Editor', 'Viewer'], survey: 'Admin' } },
  ],
  ['an array with other things', ['Editor', 7, null, { name: 'Admin' }, 'Viewer'], {}],
  [
    'members that objects inherit',
    { Editor: 1, Viewer: 1, constructor: 1 },
    { RoleMap: { Editor: 'Editor', Viewer: 'Viewer' } },
  ],
])('roles come from %s', async (_what, roles, settings) => {
  expect(
    await rolesOf({ RoleClaim: 'roles', ...settings }, signedBy(rsa, { aud: 'canvass', sub: 'a', roles })),
  ).toEqual(['Editor', 'Viewer']);
});

it.each<[what: string, claims: object, header?: object, settings?: Partial<ExternalProvider>]>([
  ['an ID token of the code flow', { at_hash: 'x', nonce: 'n', azp: 'canvass' }],
  ['an ID token of the implicit flow', { nonce: 'n' }],
  ['an ID token of Keycloak', { typ: 'ID', scope: 'openid' }],
  ['a refresh token of Keycloak', { typ: 'Refresh' }],
  [
    'a logout token',
    { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } },
    { typ: 'logout+jwt' },
  ],
  ['a proof of possession', { jti: 'x' }, { typ: 'dpop+jwt' }],
  ['a logout token where ID tokens are taken', { events: {} }, { typ: 'JWT' }, { AcceptIdTokens: true }],
  ['a refresh token where ID tokens are taken', { typ: 'Refresh' }, {}, { AcceptIdTokens: true }],
])('%s is no access token', async (_what, claims, header = {}, settings = {}) => {
  const token = signedBy(rsa, { aud: 'canvass', sub: 'a', ...claims }, header);
  expect(await rolesOf(settings, token)).toBe('The token is not an access token.');
});

describe('keys', () => {
  const claims = { aud: 'canvass', sub: 'a' };
  const unnamed = (key: TestKey): JsonWebKey => {
    const { kid: _, ...jwk } = jwkOf(key) as JsonWebKey & { kid: string };
    return jwk;
  };
  const other = rsaKey();

  // jpadilla/pyjwt#1072, smallrye/smallrye-jwt#140, auth0/node-jwks-rsa PR 55
  it.each<[what: string, keys: () => JsonWebKey[], token: () => string, answer: unknown]>([
    ['no kid in token and key', () => [unnamed(rsa)], () => signedBy(rsa, claims, { kid: undefined }), []],
    ['no kid in the token', () => [jwkOf(rsa)], () => signedBy(rsa, claims, { kid: undefined }), []],
    ['no kid in the key', () => [unnamed(rsa)], () => signedBy(rsa, claims), []],
    [
      'one that fits of several',
      () => [jwkOf(ec), jwkOf(rsa)],
      () => signedBy(rsa, claims, { kid: undefined }),
      [],
    ],
    [
      'no kid and two that fit',
      () => [jwkOf(rsa), jwkOf(other)],
      () => signedBy(rsa, claims, { kid: undefined }),
      'The token names no key, and the issuer publishes several.',
    ],
    // RFC 7517, section 4.5
    [
      'one kid for two kinds of key',
      () => [jwkOf(ec, { kid: 'k' }), jwkOf(rsa, { kid: 'k' })],
      () => signedBy(rsa, claims, { kid: 'k' }),
      [],
    ],
    [
      'one kid for two algorithms',
      () => [jwkOf(other, { kid: 'k', alg: 'PS256' }), jwkOf(rsa, { kid: 'k', alg: 'RS256' })],
      () => signedBy(rsa, claims, { kid: 'k' }),
      [],
    ],
    [
      'a key for encryption with the same kid',
      () => [jwkOf(other, { kid: rsa.kid, use: 'enc' }), jwkOf(rsa)],
      () => signedBy(rsa, claims),
      [],
    ],
    [
      'a kid whose key is of another kind',
      () => [jwkOf(ec, { kid: 'k' })],
      () => signedBy(rsa, claims, { kid: 'k' }),
      'The key of the token is for another algorithm.',
    ],
    [
      'the kid of another key',
      () => [jwkOf(rsa), jwkOf(other)],
      () => signedBy(rsa, claims, { kid: other.kid }),
      'The signature of the token is not valid.',
    ],
    [
      'a signature of another Ed25519 key',
      () => [jwkOf(ed)],
      () => signedBy(ed, claims).replace(/.{8}$/, 'AAAAAAAA'),
      'The signature of the token is not valid.',
    ],
  ])('%s', async (_what, keys, token, answer) => {
    idp.state.keys = keys();
    expect(await rolesOf({}, token())).toEqual(answer);
  });
});
