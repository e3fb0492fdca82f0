import { Problem } from '@canvass/errors';
import { sign as signBytes } from 'node:crypto';
import { createAuthenticator, type Authenticator } from '../src';
import { ecKey, jwkOf, nowSeconds, provider, rsaKey, signed, unsigned, type TestProvider } from './provider';

/** External providers may use more algorithms, so there are more attacks. */
const rsa = rsaKey();
const curve = ecKey('P-256');
const wide = ecKey('P-384');
const stranger = ecKey('P-256');
let idp: TestProvider;
let authenticator: Authenticator;

beforeAll(async () => {
  idp = await provider();
  idp.state.keys = [jwkOf(rsa), jwkOf(curve), jwkOf(wide)];
  authenticator = createAuthenticator({
    Providers: [
      {
        Name: 'Idp',
        Issuer: idp.url,
        Audience: 'forms',
        JwksUri: idp.jwksUri,
        TenantId: '42',
        RoleClaim: 'roles',
      },
    ],
  });
});
afterAll(() => idp.close());

const claims = (overrides: Record<string, unknown> = {}) => ({
  iss: idp.url,
  aud: 'forms',
  sub: 'anna',
  exp: nowSeconds() + 60,
  ...overrides,
});
const header = { alg: 'ES256', kid: curve.kid };
const input = (text: string) => Buffer.from(text.slice(0, text.lastIndexOf('.')));
const zeros = Buffer.alloc(64).toString('base64url');

const attacks: [name: string, token: () => string][] = [
  ['a signature of zeros, which some libraries accept for any key', () => unsigned(header, claims(), zeros)],
  [
    'a signature of the order of the curve',
    () => unsigned(header, claims(), Buffer.alloc(64, 0xff).toString('base64url')),
  ],
  [
    'a right signature in DER',
    () => {
      const text = unsigned(header, claims(), 'AAAA');
      return `${input(text).toString()}.${signBytes('sha256', input(text), curve.privateKey).toString('base64url')}`;
    },
  ],
  ['ES256 with a key of a wider curve', () => unsigned({ ...header, kid: wide.kid }, claims(), zeros)],
  ['ES384 with a key of a narrower curve', () => unsigned({ ...header, alg: 'ES384' }, claims(), zeros)],
  ['RS256 under the id of a curve key', () => signed(rsa, claims(), { kid: curve.kid })],
  ['ES256 under the id of an RSA key', () => signed(curve, claims(), { kid: rsa.kid }, 'ES256')],
  ["a stranger's curve key under a known id", () => signed(stranger, claims(), { kid: curve.kid }, 'ES256')],
  ['EdDSA', () => unsigned({ alg: 'EdDSA', kid: curve.kid }, claims(), zeros)],
  ['ES256K', () => unsigned({ alg: 'ES256K', kid: curve.kid }, claims(), zeros)],
  [
    'HS512, as Keycloak signs refresh tokens',
    () => unsigned({ alg: 'HS512', kid: rsa.kid }, claims({ typ: 'Refresh' }), zeros),
  ],
  ['an algorithm in other letters', () => unsigned({ alg: 'es256', kid: curve.kid }, claims(), zeros)],
  ['an ID token of Keycloak', () => signed(rsa, claims({ typ: 'ID' }))],
  ['an offline token of Keycloak', () => signed(rsa, claims({ typ: 'Offline' }))],
  ['an ID token by its at_hash', () => signed(rsa, claims({ at_hash: 'x' }))],
  ['an ID token by its nonce', () => signed(rsa, claims({ nonce: 'x' }))],
  ['an ID token of Keycloak with a nonce', () => signed(rsa, claims({ typ: 'ID', nonce: 'x' }))],
  [
    'a logout token',
    () => signed(rsa, claims({ events: { 'http://schemas.openid.net/event/backchannel-logout': {} } })),
  ],
  [
    'the audience as an object',
    () => signed(rsa, { ...claims(), aud: undefined, azp: 'forms', client_id: 'forms' }),
  ],
  [
    'the audience of another client beside ours in azp',
    () => signed(rsa, claims({ aud: ['other'], azp: 'forms' })),
  ],
  ['a subject of 256 characters', () => signed(rsa, claims({ sub: 'x'.repeat(256) }))],
  ['a subject that is a number', () => signed(rsa, { ...claims(), sub: undefined, id: 7 })],
];

it.each(attacks)('answers 401 to %s', async (_name, token) => {
  const outcome: unknown = await authenticator
    .authenticate(`Bearer ${token()}`)
    .catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(Problem);
  expect(outcome).toMatchObject({ status: 401, errorCode: 'invalid_token' });
});

it('accepts valid tokens, so that the attacks are rejected for their fault', async () => {
  const good = [
    signed(curve, claims(), {}, 'ES256'),
    signed(wide, claims(), {}, 'ES384'),
    signed(rsa, claims({ typ: 'Bearer' })),
    signed(rsa, claims({ typ: 'Bearer', nonce: 'x' })), // Keycloak before 25, and later with its mapper for the nonce
    signed(rsa, claims({ aud: ['account', 'forms'], sub: 'x'.repeat(255) })),
  ];
  for (const token of good)
    await expect(authenticator.authenticate(`Bearer ${token}`)).resolves.not.toBeNull();
});
