import { startHarness, type Harness } from './harness';

let service: Harness;
let token: string;
let adminId: string;
beforeAll(async () => {
  service = await startHarness({ SignIn: { AttemptsPerAddress: 1_000_000 } });
  ({ token, adminId } = await service.newTenant());
});
afterAll(() => service.close());

const routes = (): [string, string][] => [
  ['POST', '/api/auth/login'],
  ['POST', '/api/auth/refresh-token'],
  ['POST', '/api/auth/logout'],
  ['POST', '/api/auth/token'],
  ['POST', '/api/users'],
  ['PATCH', `/api/users/${adminId}`],
  ['POST', '/api/service-accounts'],
  ['PATCH', '/api/service-accounts/1'],
];

const json = (value: unknown) => ({ text: JSON.stringify(value) });
const fields = ['email', 'password', 'refreshToken', 'name', 'grant_type', 'client_id', 'client_secret'];
const everyField = (value: unknown) => json(Object.fromEntries(fields.map((field) => [field, value])));

const bodies: [string, { text?: string; headers?: Record<string, string> }][] = [
  ['nothing', {}],
  ['an empty body', { text: '' }],
  ['null', json(null)],
  ['a list', json([])],
  ['a text', json('x')],
  ['broken JSON', { text: '{"email":' }],
  ['ten thousand brackets', { text: '['.repeat(10_000) }],
  ['deep objects', { text: '{"a":'.repeat(5000) + '1' + '}'.repeat(5000) }],
  ['a megabyte', everyField('x'.repeat(1_000_000))],
  ['NULs', everyField('\u0000')],
  ['half characters', everyField('\ud800x')],
  ['numbers', everyField(12345678901234567890)],
  ['booleans', everyField(true)],
  ['nulls', everyField(null)],
  ['objects', everyField({ $ne: null })],
  ['lists', everyField(['a', 'b'])],
  ['spaces', everyField('   ')],
  ['SQL', everyField("'; drop table users; --")],
  ['long texts', everyField('é'.repeat(150))],
  ['prototype members', { text: '{"__proto__":{"roles":["Admin"]},"constructor":1,"email":"a@b.example"}' }],
  [
    'a form',
    {
      text: 'grant_type=%00&client_id=%ff',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
  ],
  [
    'a form of many',
    { text: 'a=1&'.repeat(3000), headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  ],
  ['another type', { text: '<a/>', headers: { 'content-type': 'application/xml' } }],
  ['another charset', { text: '{}', headers: { 'content-type': 'application/json; charset=utf-16' } }],
  ['a wrong encoding', { text: '{}', headers: { 'content-encoding': 'gzip' } }],
];

/** These operations need no access token. */
const isSignIn = (path: string) => path.startsWith('/api/auth/');

it('the caller of these requests is authorized', async () => {
  for (const path of ['/api/users', '/api/service-accounts', `/api/users/${adminId}`])
    expect((await service.call('GET', path, { token })).status).toBe(200);
});

it.each(bodies)('never a 5xx, on any route: %s', async (_name, options) => {
  for (const [method, path] of routes()) {
    // The token endpoint reads the header itself.
    const auth = path === '/api/auth/token' ? {} : { token };
    const { status, body } = await service.call(method, path, { ...auth, ...options });
    const allowed = isSignIn(path) ? [204, 400, 401, 413, 415] : [200, 201, 400, 404, 409, 413, 415];
    expect({ method, path, status, allowed: allowed.includes(status) }).toEqual({
      method,
      path,
      status,
      allowed: true,
    });
    if (status >= 400) expect(body['errorCode'] ?? body['error']).toEqual(expect.any(String));
  }
});

it.each([
  '/api/users?limit=99999999999999999999',
  '/api/users?limit=201',
  '/api/users?limit=1&limit=2',
  '/api/users?page=1',
  '/api/users?search=%00',
  '/api/users?search=%ED%A0%80',
  '/api/users?search[a]=b',
  `/api/users?search=${'x'.repeat(257)}`,
  '/api/users/%2e%2e',
  '/api/users/1%20or%201',
  '/api/users/99999999999999999999',
  '/api/users/%E0%A4%A',
  '/api/service-accounts?limit=-1',
  '/api/nothing',
])('never a 5xx: GET %s', async (path) => {
  const { status } = await service.call('GET', path, { token });
  expect([200, 400, 404]).toContain(status);
});

it('is a 405 with Allow for an unsupported method', async () => {
  const { status, headers } = await service.call('PUT', `/api/users/${adminId}`, { token, body: {} });
  expect(status).toBe(405);
  expect(headers.get('allow')).toContain('PATCH');
});
