import { startHarness, newUser, startCopy, type Harness } from './harness';

let service: Harness;
let origin: string;
beforeAll(async () => {
  service = await startHarness();
  origin = new URL(service.url).origin;
});
afterAll(() => service.close());

const path = '/api/auth/session';
type Sent = { cookie?: string; origin?: string; body?: object; headers?: Record<string, string> };

/** A request of a page. Browsers send an origin. */
async function send(method: string, at: string, { cookie, body, headers, ...sent }: Sent, to = service) {
  const reply = await to.call(method, at, {
    ...(body === undefined ? {} : { body }),
    headers: {
      ...(sent.origin === undefined ? {} : { origin: sent.origin }),
      ...(cookie === undefined ? {} : { cookie: `other=1; canvass_session=${cookie}` }),
      ...headers,
    },
  });
  const set = reply.headers.get('set-cookie') ?? '';
  return { ...reply, set, cookie: /^canvass_session=([^;]*)/.exec(set)?.[1] ?? '' };
}
const me = async (token: unknown) =>
  (await service.call('GET', '/api/auth/me', { token: String(token) })).status;

async function signedIn() {
  const { token } = await service.newTenant();
  const { email, password } = await newUser(service, token);
  const login = await send('POST', path, { origin, body: { email, password } });
  expect(login.status).toBe(200);
  return { credentials: { email, password }, ...login };
}

it('signing in puts the refresh token into a cookie that scripts cannot read, and nowhere else', async () => {
  const { set, cookie, body, headers } = await signedIn();
  expect(set).toMatch(
    /^canvass_session=[\w-]{43}; Path=\/api\/auth\/session; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
  );
  expect(Object.keys(body).sort()).toEqual(['accessToken', 'expiresAtUtc']);
  expect(JSON.stringify(body)).not.toContain(cookie);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(await me(body['accessToken'])).toBe(200);
});

it('a page on https gets a secure cookie', async () => {
  const { credentials } = await signedIn();
  const headers = { 'x-forwarded-host': 'forms.example.org' };
  const { set } = await send('POST', path, {
    origin: 'https://forms.example.org',
    body: credentials,
    headers,
  });
  expect(set).toMatch(/; Secure$/);
});

it('refreshing replaces the cookie', async () => {
  const { cookie } = await signedIn();
  const next = await send('POST', `${path}/refresh`, { origin, cookie });
  expect([next.status, await me(next.body['accessToken'])]).toEqual([200, 200]);
  expect(next.cookie).toMatch(/^[\w-]{43}$/);
  expect(next.cookie).not.toBe(cookie);
});

it('two tabs that refresh at once: one gets refresh_raced, and the session lasts', async () => {
  const { cookie } = await signedIn();
  const both = await Promise.all([1, 2].map(() => send('POST', `${path}/refresh`, { origin, cookie })));
  const [first, raced] = both.sort((a, b) => a.status - b.status);
  expect([first!.status, raced!.status, raced!.body['errorCode']]).toEqual([200, 409, 'refresh_raced']);
  expect(raced!.set).toBe('');
  const again = await send('POST', `${path}/refresh`, { origin, cookie: first!.cookie });
  expect(again.status).toBe(200);
});

it('a cookie that was spent longer ago ends the session', async () => {
  const { cookie } = await signedIn();
  const next = await send('POST', `${path}/refresh`, { origin, cookie });
  await service.db.query(`update refresh_tokens set used_at = used_at - interval '11 seconds'`);
  for (const each of [cookie, next.cookie])
    expect((await send('POST', `${path}/refresh`, { origin, cookie: each })).status).toBe(401);
  expect(await me(next.body['accessToken'])).toBe(401);
});

it('signing out ends the session and removes the cookie', async () => {
  const { cookie, body } = await signedIn();
  const ended = await send('DELETE', path, { origin, cookie });
  expect([ended.status, ended.set]).toEqual([
    204,
    'canvass_session=; Path=/api/auth/session; Max-Age=0; HttpOnly; SameSite=Strict',
  ]);
  expect(await me(body['accessToken'])).toBe(401);
  expect((await send('POST', `${path}/refresh`, { origin, cookie })).status).toBe(401);
  expect((await send('DELETE', path, { origin })).status).toBe(204);
});

it.each<[string, string | undefined]>([
  ['another host', 'https://evil.example'],
  ['another port', 'http://127.0.0.1:1'],
  ['a page without an origin', 'null'],
  ['no browser', undefined],
])('a request from %s is a 403 and changes nothing', async (_name, foreign) => {
  const { credentials, cookie, body } = await signedIn();
  const sent = foreign === undefined ? {} : { origin: foreign };
  const replies = [
    await send('POST', path, { ...sent, body: credentials }),
    await send('POST', `${path}/refresh`, { ...sent, cookie }),
    await send('DELETE', path, { ...sent, cookie }),
  ];
  for (const { status, body: problem, set } of replies)
    expect([status, problem['errorCode'], set]).toEqual([403, 'origin_not_allowed', '']);
  expect(await me(body['accessToken'])).toBe(200);
  expect((await send('POST', `${path}/refresh`, { origin, cookie })).status).toBe(200);
});

it('without a cookie there is no session', async () => {
  expect((await send('POST', `${path}/refresh`, { origin })).status).toBe(401);
});

it('configured origins replace the host of the request', async () => {
  const { credentials } = await signedIn();
  const Origins = ['https://forms.example.org'];
  const copy = await startCopy({ ...service.settings, SignIn: { ...service.settings.SignIn, Origins } });
  await copy.ready;
  const from = async (page: string) =>
    (await send('POST', path, { origin: page, body: credentials }, { ...service, call: copy.call })).status;
  expect([await from('https://forms.example.org'), await from(new URL(copy.url).origin)]).toEqual([200, 403]);
  await copy.stop();
});
