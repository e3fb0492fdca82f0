import { Problem } from '@canvass/errors';
import { createAuthenticator, createJwksVerifier, type Authenticator } from '../src';
import { jwkOf, ownClaims, provider, rsaKey, signed, type TestProvider } from './provider';

const first = rsaKey();
const second = rsaKey();
let own: TestProvider;
let clock: number;
let warnings: string[];
let authenticator: Authenticator;

beforeEach(async () => {
  own = await provider();
  own.state.keys = [jwkOf(first)];
  clock = Date.now();
  warnings = [];
  authenticator = createAuthenticator(
    { Own: { Issuer: 'canvass-identity', Audience: 'canvass-api', JwksUri: own.jwksUri }, Providers: [] },
    { now: () => clock, onWarning: (message) => warnings.push(message) },
  );
});
afterEach(() => own.close());

const claims = () => ownClaims({ exp: Math.floor(clock / 1000) + 900 });
const authenticate = (key = first, header = {}) =>
  authenticator.authenticate(`Bearer ${signed(key, claims(), header)}`);
const codeOf = (outcome: Promise<unknown>) =>
  outcome.then(
    () => 'accepted',
    (err: unknown) => (err instanceof Problem ? err.errorCode : String(err)),
  );

it('fetches the keys once for a hundred callers at once', async () => {
  await Promise.all(Array.from({ length: 100 }, () => authenticate()));
  expect(own.state.fetches).toBe(1);
});

it('accepts a new key with its first token, before the set expires', async () => {
  await authenticate();
  own.state.keys.push(jwkOf(second));
  await expect(authenticate(second)).resolves.not.toBeNull();
  await expect(authenticate(first)).resolves.not.toBeNull();
  expect(own.state.fetches).toBe(2);
});

it('fetches once a second for a thousand random key ids, and lets a new key in between', async () => {
  const real = createAuthenticator({
    Own: { Issuer: 'canvass-identity', Audience: 'canvass-api', JwksUri: own.jwksUri },
    Providers: [],
  });
  const answerTo = (token: string) => codeOf(real.authenticate(`Bearer ${token}`));
  await answerTo(signed(first, claims()));
  // Signed in advance: a thousand signatures in a row would delay the response of the provider too long.
  const tokens = Array.from({ length: 1000 }, (_, i) => signed(first, claims(), { kid: `random-${i}` }));
  const started = performance.now();
  expect(new Set(await Promise.all(tokens.map(answerTo)))).toEqual(new Set(['invalid_token']));
  own.state.keys.push(jwkOf(second));
  const junk = Promise.all(tokens.map(answerTo));
  expect(await answerTo(signed(second, claims()))).toBe('accepted');
  await junk;
  expect(own.state.fetches).toBeLessThanOrEqual(3 + (performance.now() - started) / 1_000);
});

it('answers 503 to all that wait for a fetch that fails', async () => {
  const real = createAuthenticator({
    Own: { Issuer: 'canvass-identity', Audience: 'canvass-api', JwksUri: own.jwksUri },
    Providers: [],
  });
  const answerTo = (token: string) => codeOf(real.authenticate(`Bearer ${token}`));
  await answerTo(signed(first, claims()));
  expect(await answerTo(signed(second, claims()))).toBe('invalid_token');
  own.state.answer = { status: 500, body: 'no' };
  const token = signed(second, claims());
  const answers = await Promise.all(Array.from({ length: 20 }, () => answerTo(token)));
  expect(new Set(answers)).toEqual(new Set(['service_unavailable']));
});

it('still accepts valid tokens while random key ids arrive', async () => {
  await authenticate();
  await codeOf(authenticate(first, { kid: 'random' }));
  await expect(authenticate()).resolves.not.toBeNull();
});

it('drops a withdrawn key at the next scheduled fetch', async () => {
  await authenticate();
  own.state.keys = [jwkOf(second)];
  clock += 10 * 60_000 + 1;
  await authenticate(); // answered from the cache, with a fetch in the background
  await expect(authenticate(second)).resolves.not.toBeNull();
  expect(await codeOf(authenticate(first))).toBe('invalid_token');
});

it.each([
  ['500', { status: 500, body: 'no' }],
  ['no JSON', { status: 200, body: '<html>' }],
  ['no key set', { status: 200, body: '{"keys":{}}' }],
  ['a redirect', { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } }],
  ['a huge document', { status: 200, body: JSON.stringify({ keys: [], note: 'x'.repeat(600_000) }) }],
])('keeps the cached keys while the provider answers %s', async (_name, answer) => {
  await authenticate();
  own.state.answer = answer;
  for (let hours = 0; hours < 48; hours += 1) {
    clock += 3_600_000;
    await expect(authenticate()).resolves.not.toBeNull();
  }
  expect(await codeOf(authenticate(second))).toBe('service_unavailable');
  expect(warnings.length).toBeGreaterThan(0);
});

it('keeps the cached keys while nothing listens there', async () => {
  await authenticate();
  await own.close();
  clock += 3_600_000;
  await expect(authenticate()).resolves.not.toBeNull();
  own = await provider();
});

it('answers 503 with Retry-After until the keys are fetched for the first time', async () => {
  own.state.answer = { status: 503, body: '' };
  const problem: unknown = await authenticate().catch((err: unknown) => err);
  expect(problem).toMatchObject({ status: 503, headers: { 'Retry-After': expect.stringMatching(/^[1-9]/) } });
  own.state.answer = undefined;
  clock += 1_001;
  await expect(authenticate()).resolves.not.toBeNull();
});

it('backs off from a provider that is down, up to 30 s', async () => {
  own.state.answer = { status: 503, body: '' };
  for (let second = 0; second < 300; second += 1) {
    await codeOf(authenticate());
    clock += 1_000;
  }
  expect(own.state.fetches).toBeGreaterThan(10);
  expect(own.state.fetches).toBeLessThan(20);
});

it('ignores unusable keys and keeps the others', async () => {
  own.state.keys = [
    { kty: 'RSA', kid: 'broken', n: 'AAAA', e: '' },
    { kty: 'OKP', kid: 'other-curve', crv: 'Ed25519', x: 'AAAA' },
    { kty: 'EC', kid: 'wrong-curve', crv: 'secp256k1', x: 'AAAA', y: 'AAAA' },
    { kid: 'empty' },
    jwkOf(second, { key_ops: ['encrypt'] }),
    jwkOf(first, { key_ops: ['verify'] }),
  ];
  await expect(authenticate(first)).resolves.not.toBeNull();
  expect(await codeOf(authenticate(second))).toBe('invalid_token');
});

it('reads no private key out of a set that leaks one', async () => {
  own.state.keys = [{ ...first.privateKey.export({ format: 'jwk' }), kid: first.kid }];
  await expect(authenticate()).resolves.not.toBeNull();
});

it('verifies for one audience with the plain verifier', async () => {
  const verifier = createJwksVerifier({
    jwksUri: own.jwksUri,
    issuer: 'canvass-identity',
    audience: 'other',
  });
  await expect(verifier.verify(signed(first, ownClaims({ aud: 'other' })))).resolves.toMatchObject({
    sub: '7001',
  });
  expect(await codeOf(verifier.verify(signed(first, ownClaims())))).toBe('invalid_token');
});
