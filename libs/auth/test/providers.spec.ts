import { generateKeyPairSync, sign as signBytes, type JsonWebKey } from 'node:crypto';
import { createAuthenticator, type ExternalProvider } from '../src';
import { profiles } from './provider-profiles';
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

it.each(profiles)('%s signs in with its roles', async (_name, { settings, claims, header, key }) => {
  expect(
    await rolesOf(settings, signedBy(key === undefined ? rsa : { ec, ed }[key], claims, header)),
  ).toEqual(['Editor']);
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
