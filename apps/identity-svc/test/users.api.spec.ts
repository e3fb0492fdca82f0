import { randomUUID } from 'node:crypto';
import { walkByKey, type KeyPageReply } from '@canvass/testing';
import { startHarness, newUser, proofOf, type Harness } from './harness';

let service: Harness;
beforeAll(async () => {
  service = await startHarness();
});
afterAll(() => service.close());

const address = () => `${randomUUID()}@acme.example`;
const valid = () => ({ email: address(), password: 'long enough', roles: ['Editor'] });
const post = (token: string, body: unknown) => service.call('POST', '/api/users', { token, body });

/** The token of a service account that manages users. */
async function directory(token: string): Promise<string> {
  const account = await service.call('POST', '/api/service-accounts', {
    token,
    body: { name: 'Directory', roles: ['Admin'] },
  });
  const issued = await service.call('POST', '/api/auth/token', {
    body: {
      grant_type: 'client_credentials',
      client_id: account.body['clientId'],
      client_secret: account.body['clientSecret'],
    },
  });
  return String(issued.body['access_token']);
}

describe('POST /api/users', () => {
  it('creates a user who can sign in', async () => {
    const { token, name } = await service.newTenant();
    const user = { ...valid(), name: 'Ann' };
    const { status, headers, body } = await post(token, user);
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/api/users/${String(body['id'])}`);
    expect(headers.get('etag')).toBe('"1"');
    expect(body).toEqual({
      id: expect.stringMatching(/^\d+$/),
      email: user.email,
      name: 'Ann',
      roles: ['Editor'],
      isEnabled: true,
      revision: '1',
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      modifiedAt: expect.any(String),
      lastSignInAt: null,
    });
    expect((await service.call('POST', '/api/auth/login', { body: user })).status).toBe(400); // further fields
    const login = { email: user.email, password: user.password, tenant: name };
    expect((await service.call('POST', '/api/auth/login', { body: login })).status).toBe(200);
    const path = `/api/users/${String(body['id'])}`;
    const { body: signedIn } = await service.call('GET', path, { token });
    expect(Date.parse(String(signedIn['lastSignInAt']))).toBeGreaterThanOrEqual(
      Date.parse(String(body['createdAt'])),
    );
    expect(signedIn['revision']).toBe('1');
  });

  it('is a 409 for a used address, in any case', async () => {
    const { token, admin } = await service.newTenant();
    const { status, body } = await post(token, { ...valid(), email: admin.email.toUpperCase() });
    expect(status).toBe(409);
    expect(body['errorCode']).toBe('email_already_exists');
  });

  it('does not show that an address is used in another tenant', async () => {
    const [a, b] = [await service.newTenant(), await service.newTenant()];
    expect((await post(b.token, { ...valid(), email: a.admin.email })).status).toBe(201);
  });

  it('lets one of five concurrent creates of an address win', async () => {
    const { token } = await service.newTenant();
    const user = valid();
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(token, user)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no address', { email: undefined }, 'email'],
    ['an invalid address', { email: 'ann' }, 'email'],
    ['an empty password', { password: '' }, 'password'],
    ['a password of 9 characters', { password: '123456789' }, 'password'],
    ['a password of 201 characters', { password: 'x'.repeat(201) }, 'password'],
    ['a password that is a number', { password: 12345678901 }, 'password'],
    ['a role that does not exist', { roles: ['Root'] }, 'roles[0]'],
    ['a role twice', { roles: ['Editor', 'Editor'] }, 'roles[1]'],
    ['a tenant', { tenantId: '1' }, 'tenantId'],
    ['a NUL in the name', { name: 'a\u0000b' }, 'name'],
    ['half a character in the name', { name: 'a\ud800' }, 'name'],
  ])('is a 400 that names the field for %s', async (_name, overrides, field) => {
    const { token } = await service.newTenant();
    const { status, body } = await post(token, { ...valid(), ...overrides });
    expect(status).toBe(400);
    expect(Object.keys(body['errors'] as object)).toEqual([field]);
  });
});

describe('GET /api/users', () => {
  it('pages through the users of the tenant in order of address', async () => {
    const { token, admin } = await service.newTenant();
    const emails = [admin.email];
    for (let i = 0; i < 4; i += 1) emails.push((await newUser(service, token)).email);
    emails.sort();
    const list = async (page: string) =>
      (await service.call('GET', `/api/users?${page}`, { token })).body as unknown as KeyPageReply<{
        email: string;
      }>;
    const { forward, backward } = await walkByKey(list, 2);
    expect(forward.map(({ email }) => email)).toEqual(emails);
    expect(backward).toEqual(forward);
    expect(await list('total=exact')).toMatchObject({ total: 5, totalIsExact: true });
    expect((await service.call('GET', '/api/users?after=x', { token })).status).toBe(400);
  });

  it('searches address and name, treating % and _ literally', async () => {
    const { token } = await service.newTenant();
    await newUser(service, token, { name: 'Zoë 100%' });
    const found = async (search: string) =>
      (await service.call('GET', `/api/users?total=exact&search=${encodeURIComponent(search)}`, { token }))
        .body['total'];
    expect(await found('zoë')).toBe(1);
    expect(await found('0%')).toBe(1);
    expect(await found('0_')).toBe(0);
    expect(await found('@ACME')).toBe(2);
  });
});

describe('GET, PATCH and DELETE /api/users/{id}', () => {
  it('changes what is sent and counts the revision', async () => {
    const tenant = await service.newTenant();
    const { token } = tenant;
    const { id } = await newUser(service, token, { name: 'Ann', roles: ['Viewer'] });
    const path = `/api/users/${id}`;
    const first = await service.call('PATCH', path, { token, body: { name: null } });
    expect(first.body).toMatchObject({ name: null, roles: ['Viewer'], revision: '2' });
    const second = await service.call('PATCH', path, {
      token,
      headers: await proofOf(service, tenant),
      body: { roles: [], email: 'New@Acme.example' },
    });
    expect(second.body).toMatchObject({ email: 'new@acme.example', roles: [], revision: '3' });
    const read = await service.call('GET', path, { token });
    expect(read.headers.get('etag')).toBe('"3"');
    expect(read.body).toEqual(second.body);
    const again = await service.call('GET', path, { token, headers: { 'if-none-match': '"3"' } });
    expect(again.status).toBe(304);
  });

  it('honours If-Match', async () => {
    const { token } = await service.newTenant();
    const path = `/api/users/${(await newUser(service, token)).id}`;
    const stale = { token, headers: { 'if-match': '"7"' } };
    expect((await service.call('PATCH', path, { ...stale, body: { name: 'x' } })).status).toBe(412);
    expect((await service.call('DELETE', path, stale)).status).toBe(412);
    const fresh = { token, headers: { 'if-match': '"1"' } };
    expect((await service.call('PATCH', path, { ...fresh, body: { name: 'x' } })).status).toBe(200);
    expect((await service.call('DELETE', path, { token, headers: { 'if-match': '"2"' } })).status).toBe(204);
    expect((await service.call('GET', path, { token })).status).toBe(404);
    expect((await service.call('DELETE', path, { token })).status).toBe(404);
  });

  it('signs in with the new password only', async () => {
    const tenant = await service.newTenant();
    const { id, email, password } = await newUser(service, tenant.token);
    await service.call('PATCH', `/api/users/${id}`, {
      token: tenant.token,
      headers: await proofOf(service, tenant),
      body: { password: 'something new' },
    });
    const login = async (with_: string) => {
      const body = { email, password: with_, tenant: tenant.name };
      return (await service.call('POST', '/api/auth/login', { body })).status;
    };
    expect(await login(password)).toBe(401);
    expect(await login('something new')).toBe(200);
  });

  it('keeps the last administrator', async () => {
    const { token: own, adminId } = await service.newTenant();
    // Administrators cannot do it to themselves.
    const token = await directory(own);
    const path = `/api/users/${adminId}`;
    const attempts = [
      await service.call('PATCH', path, { token, body: { roles: ['Editor'] } }),
      await service.call('PATCH', path, { token, body: { isEnabled: false } }),
      await service.call('DELETE', path, { token }),
    ];
    expect(attempts.map(({ status }) => status)).toEqual([409, 409, 409]);
    await newUser(service, own, { roles: ['Admin'] });
    expect((await service.call('DELETE', path, { token })).status).toBe(204);
  });

  it('keeps one of two administrators who delete each other at once', async () => {
    const { token, adminId } = await service.newTenant();
    const other = await newUser(service, token, { roles: ['Admin'] });
    const session = await service.call('POST', '/api/auth/login', {
      body: { email: other.email, password: other.password },
    });
    const remove = (id: string, by: string) => service.call('DELETE', `/api/users/${id}`, { token: by });
    const answers = await Promise.all([
      remove(adminId, String(session.body['accessToken'])),
      remove(other.id, token),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(204);
    // 401 if the caller was deleted before the request was authenticated.
    expect(statuses.some((status) => status === 409 || status === 401)).toBe(true);
  });

  it.each(['0', '-1', 'abc', '9223372036854775808', '1e3', '%00'])('is a 400 for the id %s', async (id) => {
    const { token } = await service.newTenant();
    expect((await service.call('GET', `/api/users/${id}`, { token })).status).toBe(400);
  });

  it('changes nothing for an empty change', async () => {
    const { token } = await service.newTenant();
    const admin = await directory(token);
    const accounts = { token, body: { name: 'Warehouse' } };
    const { body: account } = await service.call('POST', '/api/service-accounts', accounts);
    const { body: user } = await post(token, valid());
    for (const path of [
      `/api/users/${String(user['id'])}`,
      `/api/service-accounts/${String(account['id'])}`,
    ]) {
      const { body: before } = await service.call('GET', path, { token });
      const grown = { revision: expect.any(String) as string, modifiedAt: expect.any(String) as string };
      for (const body of [{}, { isEnabled: null }]) {
        const { status, body: after } = await service.call('PATCH', path, { token: admin, body });
        expect([status, after]).toEqual([200, { ...before, ...grown }]);
      }
    }
  });
});

it('a create with an Idempotency-Key creates one user, and a used address is a 409 that stores no key', async () => {
  const { token } = await service.newTenant();
  const send = (email: string, key: string) =>
    service.call('POST', '/api/users', {
      token,
      body: { email, password: 'a long enough password', roles: ['Viewer'] },
      headers: { 'idempotency-key': key },
    });
  const email = `${Date.now()}@example.org`;
  const [first, again] = [await send(email, 'k1'), await send(email, 'k1')];
  expect([first.status, again.status]).toEqual([201, 201]);
  expect(again.body).toEqual(first.body);
  expect((await send(email, 'k2')).body['errorCode']).toBe('email_already_exists');
  expect((await send(`other-${email}`, 'k2')).status).toBe(201);
});
