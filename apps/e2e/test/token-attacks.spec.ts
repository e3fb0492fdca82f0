import { createHmac, createPublicKey, randomUUID, sign, type JsonWebKey } from 'node:crypto';
import { eventually, newRsaKeys } from '@canvass/testing';
import { request } from 'node:http';
import { demoTenant, signIn, type Callers } from '../src/client';
import { stackFile } from '../src/stack';

/** Forged tokens through the gateway, each at a route of every service. */
const doors = ['/api/forms', '/api/data-lists', '/api/users', '/api/webhooks/deliveries', '/api/auth/me'];

interface Session {
  accessToken: string;
  refreshToken: string;
}

let callers: Callers;
let viewer: Session;
let formToken: string;
let submissionToken: string;
let published: JsonWebKey & { kid: string };
const stranger = newRsaKeys();
const credentials = { email: `${randomUUID()}@demo.example`, password: randomUUID() };

beforeAll(async () => {
  callers = await signIn();
  const { admin, anonymous } = callers;
  await admin.expect(201, 'POST', '/api/users', { ...credentials, roles: ['Viewer'] });
  viewer = await anonymous.expect<Session>(200, 'POST', '/api/auth/login', {
    ...credentials,
    tenant: demoTenant,
  });
  const form = await admin.expect<{ id: string }>(201, 'POST', '/api/forms', {
    name: 'Attacked',
    isEnabled: true,
  });
  const access = `/api/public/forms/${form.id}/access-tokens`;
  formToken = (await anonymous.expect<{ token: string }>(200, 'POST', access)).token;
  const begun = await anonymous.expect<{ token: string }>(
    201,
    'POST',
    `/api/forms/${form.id}/submissions`,
    {},
  );
  submissionToken = begun.token;
  const { kid } = partOf(viewer.accessToken, 0) as { kid: string };
  const set = await anonymous.expect<{ keys: (typeof published)[] }>(200, 'GET', '/.well-known/jwks.json');
  published = set.keys.find((key) => key.kid === kid)!;
});

const partOf = (token: string, n: number): unknown =>
  JSON.parse(Buffer.from(token.split('.')[n]!, 'base64url').toString());
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
/** The claims of the viewer with the role of an administrator. */
const asAdmin = (changed: object = {}) =>
  encoded({ ...(partOf(viewer.accessToken, 1) as object), roles: ['Admin'], ...changed });
const good = () => ({ alg: 'RS256', typ: 'JWT', kid: published.kid });
const signature = () => viewer.accessToken.split('.')[2]!;
const byStranger = (header: object, payload = asAdmin()) => {
  const text = `${encoded({ alg: 'RS256', ...header })}.${payload}`;
  return `${text}.${sign('sha256', Buffer.from(text), stranger.privateKey).toString('base64url')}`;
};
const hmac = (secret: string | Buffer, header: object = { kid: published.kid }, payload = asAdmin()) => {
  const text = `${encoded({ alg: 'HS256', ...header })}.${payload}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
};
const pem = () =>
  createPublicKey({ key: published, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString();
const strangerJwk = () => ({
  ...stranger.publicKey.export({ format: 'jwk' }),
  kid: 'stranger',
  alg: 'RS256',
  use: 'sig',
});

const attacks: [name: string, token: () => string | Promise<string>][] = [
  ['alg none', () => `${encoded({ ...good(), alg: 'none' })}.${asAdmin()}.`],
  ['alg NONE with a signature', () => `${encoded({ ...good(), alg: 'NONE' })}.${asAdmin()}.${signature()}`],
  ['a role added to a good token', () => `${viewer.accessToken.split('.')[0]}.${asAdmin()}.${signature()}`],
  ['a good token without its signature', () => `${viewer.accessToken.split('.').slice(0, 2).join('.')}.`],
  ['a good token cut short', () => viewer.accessToken.slice(0, -10)],
  ['an unknown key under a known id', () => byStranger({ kid: published.kid })],
  ['an unknown key under an unknown id', () => byStranger({ kid: 'unknown' })],
  ['no key id', () => byStranger({})],
  ['a key id that is a path', () => byStranger({ kid: '../../../../dev/null' })],
  ['a key id that is SQL', () => byStranger({ kid: "x' union select 'AA'--" })],
  ['an embedded key', () => byStranger({ kid: published.kid, jwk: strangerJwk() })],
  ['a key set named by jku', () => byStranger({ kid: 'stranger', jku: 'http://127.0.0.1:9/jwks' })],
  ['a certificate named by x5u', () => byStranger({ kid: 'stranger', x5u: 'http://127.0.0.1:9/x5u' })],
  ['HS256 with the public key as PEM', () => hmac(pem())],
  ['HS256 with the public key as JSON', () => hmac(JSON.stringify(published))],
  ['HS256 with the modulus', () => hmac(Buffer.from(String(published.n), 'base64url'))],
  ['HS256 with an empty secret', () => hmac('')],
  [
    'a token between services with a guessed secret',
    () => hmac('secret', {}, encoded({ iss: 'gateway', aud: 'canvass-internal', exp: 9e9 })),
  ],
  ['a form-access token', () => formToken],
  ['a submission token', () => submissionToken],
  ['a refresh token', () => viewer.refreshToken],
  ['a client secret', async () => (await stackFile()).demo.serviceAccount.clientSecret],
  ['nothing after the scheme', () => ''],
  ['a token as long as a header may be', () => `${viewer.accessToken}${'A'.repeat(9_000)}`],
];

it.each(attacks)('%s is rejected by every service', async (_name, token) => {
  const bearer = await token();
  for (const door of doors) {
    const { status, text } = await call('GET', door, [['Authorization', `Bearer ${bearer}`]]);
    expect([door, status]).toEqual([door, 401]);
    expect(text).not.toContain('"items"');
  }
});

it('two Authorization headers are a 400 at every service, whatever their values', async () => {
  for (const door of doors) {
    const twice = [viewer.accessToken, byStranger({ kid: published.kid })].map(
      (token) => ['Authorization', `Bearer ${token}`] as const,
    );
    expect([door, (await call('GET', door, twice)).status]).toEqual([door, 400]);
  }
});

it('reuse of a refresh token revokes its session, and a refresh token of a revoked session is rejected', async () => {
  const { anonymous } = callers;
  const refresh = (refreshToken: string) =>
    anonymous.call<Session>('POST', '/api/auth/refresh-token', { refreshToken });
  const first = await anonymous.expect<Session>(200, 'POST', '/api/auth/login', {
    ...credentials,
    tenant: demoTenant,
  });
  const second = await refresh(first.refreshToken);
  const third = await refresh(second.body.refreshToken);
  expect([second.status, third.status]).toEqual([200, 200]);
  // For ten seconds it may be the repetition of a request whose response was lost.
  expect((await refresh(first.refreshToken)).status).toBe(409);
  await eventually(async () => (await refresh(first.refreshToken)).status === 401);
  expect((await refresh(third.body.refreshToken)).status).toBe(401);

  const other = await anonymous.expect<Session>(200, 'POST', '/api/auth/login', {
    ...credentials,
    tenant: demoTenant,
  });
  await anonymous.expect(204, 'POST', '/api/auth/logout', { refreshToken: other.refreshToken });
  expect((await refresh(other.refreshToken)).status).toBe(401);
  for (const wrong of [viewer.accessToken, formToken, submissionToken]) {
    expect([400, 401]).toContain((await refresh(wrong)).status);
  }
});

it('a form-access token opens the lists of its form only with a valid signature', async () => {
  const { rid } = partOf(formToken, 1) as { rid: string };
  const path = `/api/public/forms/${rid}/data-lists/1/search`;
  const status = async (token: string) =>
    (await call('GET', path, [['Authorization', `Bearer ${token}`]])).status;
  expect([403, 404]).toContain(await status(formToken));
  const [head = '', payload = '', mark = ''] = formToken.split('.');
  const named = encoded({ ...(partOf(formToken, 1) as object), lists: ['1'] });
  expect(await status(`${head}.${named}.${mark}`)).toBe(401);
  expect(await status(byStranger({ kid: (partOf(formToken, 0) as { kid: string }).kid }, payload))).toBe(401);
  expect(await status(viewer.accessToken)).toBe(401);
});

it('the unmodified token still works', async () => {
  expect((await call('GET', '/api/forms', [['Authorization', `Bearer ${viewer.accessToken}`]])).status).toBe(
    200,
  );
});

/** Can send repeated headers, which `fetch` would join. */
function call(
  method: string,
  path: string,
  headers: readonly (readonly [string, string])[],
): Promise<{ status: number; text: string }> {
  const url = new URL(path, callers.gatewayUrl);
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method, headers: [['Host', url.host], ...headers].flat(), agent: false },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('error', reject).on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      },
    );
    sent.on('error', reject).end();
  });
}
