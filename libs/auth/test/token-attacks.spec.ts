import { Problem } from '@canvass/errors';
import jwt from 'jsonwebtoken';
import { createAuthenticator, type Authenticator } from '../src';
import {
  ecKey,
  jwkOf,
  nowSeconds,
  ownClaims,
  provider,
  rsaKey,
  signed,
  signedRaw,
  unsigned,
  type TestProvider,
} from './provider';

const key = rsaKey();
const strangerKey = rsaKey();
const smallKey = rsaKey(1024);
const psOnly = rsaKey();
const encryptionKey = rsaKey();
const curve = ecKey();
let own: TestProvider;
let attacker: TestProvider;
let authenticator: Authenticator;
const startedAt = performance.now();

beforeAll(async () => {
  own = await provider();
  attacker = await provider();
  own.state.keys = [
    jwkOf(key, { alg: 'RS256' }),
    jwkOf(smallKey),
    jwkOf(curve),
    jwkOf(psOnly, { alg: 'PS256' }),
    jwkOf(encryptionKey, { use: 'enc' }),
    { kty: 'oct', kid: 'shared', k: Buffer.from('a secret that is public, 32 bytes').toString('base64url') },
  ];
  attacker.state.keys = [jwkOf(strangerKey)];
  authenticator = createAuthenticator({
    Own: { Issuer: 'canvass-identity', Audience: 'canvass-api', JwksUri: own.jwksUri },
    Providers: [],
  });
});
afterAll(async () => {
  await own.close();
  await attacker.close();
});

const good = { alg: 'RS256', typ: 'JWT', kid: key.kid };
const pem = () => key.publicKey.export({ format: 'pem', type: 'spki' }).toString();
const hmacWith = (secret: string | Buffer, header: jwt.JwtHeader) =>
  // jsonwebtoken refuses to sign HMAC with a public key object, so it gets plain bytes.
  jwt.sign(ownClaims(), Buffer.from(secret), { algorithm: 'HS256', header });
const parts = (token: string) => token.split('.') as [string, string, string];
const flipped = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1);

const attacks: [name: string, token: () => string][] = [
  ['nothing at all', () => ''],
  ['not a token', () => 'hello'],
  ['two parts', () => parts(signed(key, ownClaims())).slice(0, 2).join('.')],
  ['four parts', () => `${signed(key, ownClaims())}.e30`],
  ['five parts, as an encrypted token has', () => 'e30.e30.e30.e30.e30'],
  ['standard base64 with padding', () => `${signed(key, ownClaims())}=`],
  ['a header that is no JSON', () => signedRaw(key, '{"alg":"RS256"', ownClaims())],
  ['a header that is an array', () => signedRaw(key, ['RS256'], ownClaims())],
  ['a header that is null', () => signedRaw(key, 'null', ownClaims())],
  ['a payload that is no JSON', () => signedRaw(key, good, 'tid=42')],
  ['a payload that is an array', () => signedRaw(key, good, [ownClaims()])],
  ['a payload of a thousand brackets', () => signedRaw(key, good, '['.repeat(1000))],
  ['a token of 20,000 characters', () => signed(key, ownClaims({ note: 'x'.repeat(20_000) }))],
  ['no algorithm', () => signedRaw(key, { kid: key.kid }, ownClaims())],
  ['alg none without a signature', () => unsigned({ ...good, alg: 'none' }, ownClaims())],
  ['alg NONE with some signature', () => unsigned({ ...good, alg: 'NONE' }, ownClaims(), 'AAAA')],
  ['alg none under a good signature', () => signedRaw(key, { ...good, alg: 'none' }, ownClaims())],
  ['HS256 with the public key in PEM', () => hmacWith(pem(), { alg: 'HS256', kid: key.kid })],
  ['HS256 with the modulus', () => hmacWith(String(jwkOf(key)['n']), { alg: 'HS256', kid: key.kid })],
  [
    'HS256 with a symmetric key of the set',
    () => hmacWith('a secret that is public, 32 bytes', { alg: 'HS256', kid: 'shared' }),
  ],
  ['HS256 with an empty secret', () => unsigned({ alg: 'HS256', kid: key.kid }, ownClaims(), 'AAAA')],
  ['RS512 of the right key, RS256 being pinned', () => signed(key, ownClaims(), {}, 'RS512')],
  ['PS256 of the right key', () => signed(key, ownClaims(), {}, 'PS256')],
  ['ES256 of a curve key in the set', () => signed(curve, ownClaims(), {}, 'ES256')],
  ['a curve key named for RS256', () => signedRaw(curve, { ...good, kid: curve.kid }, ownClaims())],
  ['a key that the set reserves for PS256', () => signed(psOnly, ownClaims())],
  ['a key that the set reserves for encryption', () => signed(encryptionKey, ownClaims())],
  [
    'an RSA key of 1024 bits in the set',
    () => signedRaw(smallKey, { ...good, kid: smallKey.kid }, ownClaims()),
  ],
  ['no key id', () => signedRaw(key, { alg: 'RS256' }, ownClaims())],
  ['an empty key id', () => signedRaw(key, { alg: 'RS256', kid: '' }, ownClaims())],
  ['a key id that is a number', () => signedRaw(key, { alg: 'RS256', kid: 1 }, ownClaims())],
  ['a key id that is a path', () => signed(strangerKey, ownClaims(), { kid: '../../dev/null' })],
  ['a key id that is a name objects inherit', () => signed(strangerKey, ownClaims(), { kid: '__proto__' })],
  ['an unknown key', () => signed(strangerKey, ownClaims())],
  ["a stranger's key under a known key id", () => signed(strangerKey, ownClaims(), { kid: key.kid })],
  [
    'a key embedded as jwk',
    () => signed(strangerKey, ownClaims(), { kid: key.kid, jwk: jwkOf(strangerKey) }),
  ],
  ['a key set named by jku', () => signed(strangerKey, ownClaims(), { jku: attacker.jwksUri })],
  ['a certificate named by x5u', () => signed(strangerKey, ownClaims(), { x5u: attacker.jwksUri })],
  ['a certificate embedded as x5c', () => signed(strangerKey, ownClaims(), { kid: key.kid, x5c: ['MIIB'] })],
  ['a critical extension', () => signed(key, ownClaims(), { crit: ['b64'], b64: false })],
  [
    'a changed payload',
    () => {
      const [header, , signature] = parts(signed(key, ownClaims()));
      return `${header}.${parts(signed(key, ownClaims({ roles: ['Admin'] })))[1]}.${signature}`;
    },
  ],
  [
    'a changed signature',
    () => {
      const [header, payload, signature] = parts(signed(key, ownClaims()));
      return `${header}.${payload}.${flipped(signature)}`;
    },
  ],
  ['a signature cut short', () => signed(key, ownClaims()).slice(0, -20)],
  ['expired beyond the leeway', () => signed(key, ownClaims({ exp: nowSeconds() - 31 }))],
  ['no expiry', () => signed(key, ownClaims({ exp: undefined }))],
  ['an expiry that is text', () => signedRaw(key, good, ownClaims({ exp: '9999999999' }))],
  [
    'an expiry beyond all numbers',
    () => signedRaw(key, good, JSON.stringify(ownClaims()).replace(/"exp":\d+/, '"exp":1e999')),
  ],
  ['not valid before tomorrow', () => signed(key, ownClaims({ nbf: nowSeconds() + 86_400 }))],
  ['a start that is text', () => signedRaw(key, good, ownClaims({ nbf: 'now' }))],
  ['another audience', () => signed(key, ownClaims({ aud: 'canvass-form-access' }))],
  ['the internal audience', () => signed(key, ownClaims({ aud: 'canvass-internal' }))],
  ['no audience', () => signed(key, ownClaims({ aud: undefined }))],
  ['an audience that only begins alike', () => signed(key, ownClaims({ aud: 'canvass-api2' }))],
  ['an unlisted issuer', () => signed(key, ownClaims({ iss: 'https://evil.example' }))],
  ['the issuer with a slash', () => signed(key, ownClaims({ iss: 'canvass-identity/' }))],
  ['an issuer that is a list', () => signedRaw(key, good, ownClaims({ iss: ['canvass-identity'] }))],
  ['no issuer', () => signed(key, ownClaims({ iss: undefined }))],
  ['no tenant', () => signed(key, ownClaims({ tid: undefined }))],
  ['tenant 0', () => signed(key, ownClaims({ tid: '0' }))],
  ['a tenant that is a number', () => signed(key, ownClaims({ tid: 42 }))],
  ['a tenant that is SQL', () => signed(key, ownClaims({ tid: '42 or true' }))],
  ['a tenant beyond 64 bits', () => signed(key, ownClaims({ tid: '9223372036854775808' }))],
  ['no subject', () => signed(key, ownClaims({ sub: undefined }))],
  ['a blank subject', () => signed(key, ownClaims({ sub: '  ' }))],
  ['a subject of no width', () => signed(key, ownClaims({ sub: '\u200b' }))],
  ['a subject with a NUL', () => signed(key, ownClaims({ sub: 'a\u0000b' }))],
  [
    'a subject with half a character',
    () => signedRaw(key, good, JSON.stringify(ownClaims()).replace('7001', '\\ud800')),
  ],
  ['no kind', () => signed(key, ownClaims({ kind: undefined }))],
  ['the kind of an external caller', () => signed(key, ownClaims({ kind: 'external' }))],
];

async function refusal(header: string): Promise<Problem> {
  const outcome: unknown = await authenticator.authenticate(header).catch((err: unknown) => err);
  expect(outcome).toBeInstanceOf(Problem);
  return outcome as Problem;
}

it('accepts a valid token, so that the attacks are rejected for their fault', async () => {
  const caller = await authenticator.authenticate(`Bearer ${signed(key, ownClaims())}`);
  expect(caller).toMatchObject({
    provider: 'Service',
    kind: 'user',
    subject: '7001',
    tenantId: '42',
    roles: ['Editor'],
  });
  await expect(
    authenticator.authenticate(`Bearer ${signedRaw(key, good, ownClaims())}`),
  ).resolves.not.toBeNull();
  await expect(
    authenticator.authenticate(`bearer ${signed(key, ownClaims({ exp: nowSeconds() - 5 }))}`),
  ).resolves.not.toBeNull();
});

it.each(attacks)('answers 401 with a challenge to %s', async (_name, token) => {
  const problem = await refusal(`Bearer ${token()}`);
  expect(problem).toMatchObject({ status: 401, errorCode: 'invalid_token' });
  expect(problem.headers?.['WWW-Authenticate']).toMatch(
    /^Bearer realm="canvass", error="invalid_token", error_description="[^"\\]+"$/,
  );
});

it.each([
  ['Basic', 'Basic YWRtaW46YWRtaW4='],
  ['a bare token', 'e30.e30.e30'],
  ['an empty header', ''],
  ['Bearer alone', 'Bearer'],
  ['two tokens', 'Bearer e30.e30.e30 e30.e30.e30'],
  ['a comma list', 'Bearer e30.e30.e30, Basic YTpi'],
  ['100,000 characters', `Bearer ${'x'.repeat(100_000)}`],
])('answers 401 to the Authorization header of the form: %s', async (_name, header) => {
  expect((await refusal(header)).errorCode).toBe('invalid_token');
});

it('never asked the addresses that the tokens named', () => {
  expect(attacker.state.fetches).toBe(0);
});

it('asked its own provider no more often than the cool-down allows, whatever key ids were sent', () => {
  // One for the first token, then one for unknown key ids in each ten seconds.
  const coolDowns = (performance.now() - startedAt) / 1_000;
  expect(own.state.fetches).toBeLessThanOrEqual(2 + Math.ceil(coolDowns));
});

it('treats a missing header as anonymous', async () => {
  await expect(authenticator.authenticate(undefined)).resolves.toBeNull();
});

it('grants no permission for an unknown role', async () => {
  const caller = await authenticator.authenticate(
    `Bearer ${signed(key, ownClaims({ roles: ['Root', 'Viewer', 7] }))}`,
  );
  expect(caller?.roles).toEqual(['Viewer']);
  expect(caller?.permissions.has('Forms.Edit')).toBe(false);
});
