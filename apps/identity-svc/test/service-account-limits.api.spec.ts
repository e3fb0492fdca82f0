import { eventually } from '@canvass/testing';
import jwt from 'jsonwebtoken';
import { startHarness, type Harness } from './harness';

let service: Harness;
beforeAll(async () => {
  service = await startHarness();
});
afterAll(() => service.close());

const call = (...request: Parameters<Harness['call']>) => service.call(...request);

async function newAccount(members: object = {}) {
  const { token } = await service.newTenant();
  const made = await call('POST', '/api/service-accounts', { token, body: { name: 'CRM', ...members } });
  expect(made.status).toBe(201);
  const path = `/api/service-accounts/${String(made.body['id'])}`;
  const issue = (secret: unknown = made.body['clientSecret']) =>
    call('POST', '/api/auth/token', {
      text: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: String(made.body['clientId']),
        client_secret: String(secret),
      }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const read = async () => (await call('GET', path, { token })).body;
  const change = (body: object) => call('PATCH', path, { token, body });
  const rotate = (body?: object, headers = {}) =>
    call('POST', `${path}/rotate-secret`, { token, headers, ...(body && { body }) });
  return { token, path, made: made.body, issue, read, change, rotate };
}
const me = async (token: unknown) => (await call('GET', '/api/auth/me', { token: String(token) })).status;
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

describe('POST /api/service-accounts/{id}/rotate-secret', () => {
  it('returns a new secret, and the one of before stays valid for the overlap', async () => {
    const { made, issue, rotate, read } = await newAccount();
    const { status, body, headers } = await rotate();
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body['clientSecret']).not.toBe(made['clientSecret']);
    const hours = (Date.parse(String(body['previousSecretExpiresAt'])) - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
    expect([(await issue()).status, (await issue(body['clientSecret'])).status]).toEqual([200, 200]);
    await service.db.query('update service_accounts set previous_secret_expires_at = now() where id = $1', [
      made['id'],
    ]);
    expect([(await issue()).status, (await issue(body['clientSecret'])).status]).toEqual([401, 200]);
    expect(await read()).toMatchObject({ previousSecretExpiresAt: null, revision: '2' });
    expect(await read()).not.toHaveProperty('clientSecret');
  });

  it('without an overlap ends the secret and the access tokens of before', async () => {
    const { issue, rotate } = await newAccount({ roles: ['Admin'] });
    const before = (await issue()).body['access_token'];
    const { body } = await rotate({ overlapSeconds: 0 });
    expect([(await issue()).status, await me(before)]).toEqual([401, 401]);
    expect(await me((await issue(body['clientSecret'])).body['access_token'])).toBe(200);
  });

  it('keeps two secrets at most', async () => {
    const { issue, rotate } = await newAccount();
    const second = (await rotate()).body['clientSecret'];
    const third = (await rotate()).body['clientSecret'];
    expect([(await issue()).status, (await issue(second)).status, (await issue(third)).status]).toEqual([
      401, 200, 200,
    ]);
  });

  it('rotates once for an Idempotency-Key, and only with a matching revision', async () => {
    const { rotate, read } = await newAccount();
    const headers = { 'idempotency-key': 'rotate-1' };
    const both = [await rotate({}, headers), await rotate({}, headers)];
    expect(both[0]!.body).toEqual(both[1]!.body);
    expect((await read())['revision']).toBe('2');
    expect((await rotate({}, { 'if-match': '"1"' })).status).toBe(412);
  });

  it('is a 404 for the account of another tenant', async () => {
    const [mine, other] = [await newAccount(), await newAccount()];
    const path = `${mine.path}/rotate-secret`;
    expect((await call('POST', path, { token: other.token })).status).toBe(404);
    expect((await mine.issue()).status).toBe(200);
  });
});

describe('expiresAt', () => {
  it('ends the account, and no token outlives it', async () => {
    const { issue, change, read, made } = await newAccount({ expiresAt: inHours(0.5) });
    const issued = await issue();
    expect(issued.body['expires_in']).toBeLessThanOrEqual(1800);
    expect(issued.body['expires_in']).toBeGreaterThan(1700);
    const before = issued.body['access_token'];
    expect((await change({ expiresAt: inHours(-1) })).status).toBe(200);
    const refused = await issue();
    expect([refused.status, refused.body['error'], await me(before)]).toEqual([401, 'invalid_client', 401]);
    expect((await change({ expiresAt: null })).body['expiresAt']).toBeNull();
    expect((await issue()).status).toBe(200);
    expect((await read())['clientId']).toBe(made['clientId']);
  });
});

it('an expiry in the distant future does not prevent tokens', async () => {
  const { issue } = await newAccount({ expiresAt: '2199-01-01T00:00:00Z' });
  expect((await issue()).status).toBe(200);
});

it('lastUsedAt shows when the account last got a token', async () => {
  const { made, issue, read } = await newAccount();
  expect(made['lastUsedAt']).toBeNull();
  await issue('a wrong secret');
  expect((await read())['lastUsedAt']).toBeNull();
  await issue();
  const first = (await read())['lastUsedAt'];
  expect(Math.abs(Date.parse(String(first)) - Date.now())).toBeLessThan(60_000);
  await issue();
  await eventually(async () => expect((await read())['lastUsedAt']).toBe(first));
});

describe('formIds', () => {
  const formsOf = (reply: Awaited<ReturnType<Awaited<ReturnType<typeof newAccount>>['issue']>>) =>
    (jwt.decode(String(reply.body['access_token'])) as { forms?: string[] }).forms;

  it('are in the token, and a change ends the tokens of before', async () => {
    const { issue, change } = await newAccount({ formIds: ['4711', '4712'] });
    const first = await issue();
    expect(formsOf(first)).toEqual(['4711', '4712']);
    expect(await me(first.body['access_token'])).toBe(200);
    await change({ formIds: ['4711'] });
    expect(await me(first.body['access_token'])).toBe(401);
    expect(formsOf(await issue())).toEqual(['4711']);
    await change({ formIds: null });
    expect(formsOf(await issue())).toBeUndefined();
  });

  it('leave an administrating account without the permissions of the tenant', async () => {
    const { issue } = await newAccount({ formIds: ['4711'], roles: ['Admin'] });
    const token = String((await issue()).body['access_token']);
    expect((await call('GET', '/api/users', { token })).status).toBe(403);
    const { body } = await call('GET', '/api/auth/me', { token });
    expect(body['permissions']).toContain('Submissions.View');
    for (const permission of ['Users.Manage', 'Tenant.Manage', 'WebHooks.View', 'Submissions.Erase'])
      expect(body['permissions']).not.toContain(permission);
  });

  it('leave nothing but the account itself and what is found in its forms', async () => {
    const { issue, token: admin } = await newAccount({ formIds: ['4711'], roles: ['Editor'] });
    const token = String((await issue()).body['access_token']);
    const view = { screen: 'forms', name: 'of all', visibility: 'tenant', settings: {} };
    const made = await call('POST', '/api/views', { token: admin, body: view });
    const one = `/api/views/${String(made.body['id'])}`;
    const statuses = async (...requests: [method: string, path: string, body?: object][]) => {
      const replies = [];
      for (const [method, path, body] of requests)
        replies.push((await call(method, path, { token, ...(body && { body }) })).status);
      return replies;
    };
    const foreign = await statuses(
      ['GET', '/api/views'],
      ['POST', '/api/views', view],
      ['GET', one],
      ['PATCH', one, { name: 'taken over' }],
      ['DELETE', one],
      ['PUT', '/api/auth/me/preferences', { settings: {} }],
      ['GET', '/api/jobs'],
      ['GET', '/api/audit'],
      ['GET', '/api/auth/sessions'],
    );
    expect(foreign).toEqual(foreign.map(() => 403));
    expect(await statuses(['GET', '/api/auth/me'], ['GET', '/api/search?q=4711'])).toEqual([200, 200]);
    expect((await call('GET', one, { token: admin })).body).toMatchObject({ name: 'of all' });
  });

  it('must be ids, and not an empty list', async () => {
    const { change } = await newAccount();
    expect((await change({ formIds: [] })).status).toBe(400);
    expect((await change({ formIds: ['x'] })).status).toBe(400);
  });
});
