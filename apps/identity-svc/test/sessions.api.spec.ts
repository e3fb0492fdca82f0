import { walkByKey, type KeyPageReply } from '@canvass/testing';
import { startHarness, newUser, type Harness } from './harness';

let service: Harness;
beforeAll(async () => {
  service = await startHarness();
});
afterAll(() => service.close());

type Login = { email: string; password: string };
interface Shown {
  id: string;
  clientNetwork: string | null;
  userAgent: string | null;
  isCurrent: boolean;
  createdAt: string;
  lastUsedAt: string;
  expiresAt: string;
}
const call = (...request: Parameters<Harness['call']>) => service.call(...request);
async function signIn({ email, password }: Login, headers: Record<string, string> = {}) {
  const { status, body } = await call('POST', '/api/auth/login', { body: { email, password }, headers });
  expect(status).toBe(200);
  return { token: String(body['accessToken']), refreshToken: String(body['refreshToken']) };
}
const refresh = (refreshToken: string) => call('POST', '/api/auth/refresh-token', { body: { refreshToken } });
const list = async (token: string, path = '/api/auth/sessions') => {
  const { status, body } = await call('GET', path, { token });
  expect(status).toBe(200);
  return body['items'] as Shown[];
};
const me = async (token: string) => (await call('GET', '/api/auth/me', { token })).status;

async function userOfTenant() {
  const tenant = await service.newTenant();
  return { tenant, user: await newUser(service, tenant.token) };
}

describe('GET /api/auth/sessions', () => {
  it('shows each sign-in once, with the network and the program of the client', async () => {
    const { user } = await userOfTenant();
    const phone = { 'x-forwarded-for': '203.0.113.77', 'user-agent': 'Phone/1' };
    const first = await signIn(user, phone);
    const second = await signIn(user, { 'x-forwarded-for': '2001:db8:7:7::1', 'user-agent': 'Desk/2' });
    expect(await list(second.token)).toEqual([
      expect.objectContaining({
        clientNetwork: '2001:db8:7:0:0:0:0:0/48',
        userAgent: 'Desk/2',
        isCurrent: true,
      }),
      expect.objectContaining({ clientNetwork: '203.0.113.0/24', userAgent: 'Phone/1', isCurrent: false }),
    ]);
    const before = (await list(first.token))[1]!;
    await refresh(first.refreshToken);
    const after = await list(first.token);
    expect(after).toHaveLength(2);
    expect(after[0]).toMatchObject({ id: before.id, createdAt: before.createdAt, isCurrent: true });
    expect(Date.parse(after[0]!.lastUsedAt)).toBeGreaterThan(Date.parse(before.lastUsedAt));
  });

  it('is read by key in both directions, the last used first', async () => {
    const { user } = await userOfTenant();
    const sessions = [await signIn(user), await signIn(user), await signIn(user)];
    await refresh(sessions[0]!.refreshToken);
    const { token } = sessions[2]!;
    const byNumber = await list(token);
    const read = async (parameters: string) =>
      (await call('GET', `/api/auth/sessions?${parameters}`, { token }))
        .body as unknown as KeyPageReply<Shown>;
    const { forward, backward } = await walkByKey(read, 2);
    expect(forward).toEqual(byNumber);
    expect(backward).toEqual(byNumber);
    expect(await read('total=exact')).toMatchObject({ total: 3, totalIsExact: true });
    expect((await call('GET', '/api/auth/sessions?after=x', { token })).status).toBe(400);
  });

  it('shows no session that has ended, nor those of other users', async () => {
    const { tenant, user } = await userOfTenant();
    const [here, gone] = [await signIn(user), await signIn(user)];
    await call('POST', '/api/auth/logout', { body: { refreshToken: gone.refreshToken } });
    expect(await list(here.token)).toHaveLength(1);
    expect(await list(tenant.token)).toHaveLength(1);
  });

  it('is a 403 for a service account', async () => {
    const { token } = await service.newTenant();
    const { body } = await call('POST', '/api/service-accounts', { token, body: { name: 'CRM' } });
    const form = { client_id: String(body['clientId']), client_secret: String(body['clientSecret']) };
    const issued = await call('POST', '/api/auth/token', {
      text: new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const machine = String(issued.body['access_token']);
    expect((await call('GET', '/api/auth/sessions', { token: machine })).status).toBe(403);
  });
});

describe('DELETE /api/auth/sessions', () => {
  it('ends all other sessions: their refresh tokens and their access tokens', async () => {
    const { user } = await userOfTenant();
    const [other, here] = [await signIn(user), await signIn(user)];
    expect((await call('DELETE', '/api/auth/sessions', { token: here.token })).status).toBe(204);
    expect([await me(other.token), await me(here.token)]).toEqual([401, 200]);
    expect((await refresh(other.refreshToken)).status).toBe(401);
    expect((await refresh(here.refreshToken)).status).toBe(200);
  });

  it('with an id ends that one, and is a 404 for a session of another user', async () => {
    const { tenant, user } = await userOfTenant();
    const here = await signIn(user);
    const [foreign] = await list(tenant.token);
    const end = (id: string) => call('DELETE', `/api/auth/sessions/${id}`, { token: here.token });
    expect((await end(foreign!.id)).status).toBe(404);
    expect(await me(tenant.token)).toBe(200);
    const [own] = await list(here.token);
    expect((await end(own!.id)).status).toBe(204);
    expect(await me(here.token)).toBe(401);
  });
});

describe('sessions of a user, for administrators', () => {
  it('are listed and ended, one or all', async () => {
    const { tenant, user } = await userOfTenant();
    const sessions = [await signIn(user), await signIn(user), await signIn(user)];
    const path = `/api/users/${user.id}/sessions`;
    const [last] = await list(tenant.token, path);
    expect((await call('DELETE', `${path}/${last!.id}`, { token: tenant.token })).status).toBe(204);
    expect(await list(tenant.token, path)).toHaveLength(2);
    expect((await call('DELETE', path, { token: tenant.token })).status).toBe(204);
    expect(await list(tenant.token, path)).toEqual([]);
    for (const { token, refreshToken } of sessions) {
      expect([await me(token), (await refresh(refreshToken)).status]).toEqual([401, 401]);
    }
    expect(await me((await signIn(user)).token)).toBe(200);
  });

  it('of another tenant are a 404, and other roles get a 403', async () => {
    const { user } = await userOfTenant();
    const session = await signIn(user);
    const [own] = await list(session.token);
    const stranger = await service.newTenant();
    for (const token of [stranger.token, session.token]) {
      const statuses = [];
      for (const [method, path] of [
        ['GET', `/api/users/${user.id}/sessions`],
        ['DELETE', `/api/users/${user.id}/sessions`],
        ['DELETE', `/api/users/${user.id}/sessions/${own!.id}`],
      ] as const) {
        statuses.push((await call(method, path, { token })).status);
      }
      const expected = token === session.token ? 403 : 404;
      expect(statuses).toEqual([expected, expected, expected]);
    }
    expect(await me(session.token)).toBe(200);
  });
});

describe('the absolute lifetime of a session', () => {
  it('ends it although it is refreshed, and is not prolonged by a refresh', async () => {
    const { user } = await userOfTenant();
    const session = await signIn(user);
    const [shown] = await list(session.token);
    await service.db.query(
      `update refresh_tokens set session_started_at = now() - interval '29 days' where family_id = $1`,
      [shown!.id],
    );
    const next = await refresh(session.refreshToken);
    expect(next.status).toBe(200);
    const [later] = await list(String(next.body['accessToken']));
    const day = 24 * 3_600_000;
    expect(Date.parse(later!.expiresAt) - Date.parse(later!.lastUsedAt)).toBeLessThanOrEqual(day + 1000);
    await service.db.query(
      `update refresh_tokens set session_started_at = now() - interval '31 days' where family_id = $1`,
      [shown!.id],
    );
    const last = await refresh(String(next.body['refreshToken']));
    expect((await refresh(String(last.body['refreshToken']))).status).toBe(401);
  });
});

describe('a refresh whose response was lost', () => {
  it('can be repeated within 10 s, and one chain of tokens remains', async () => {
    const { user } = await userOfTenant();
    const { refreshToken } = await signIn(user);
    const lost = String((await refresh(refreshToken)).body['refreshToken']);
    const again = await refresh(refreshToken);
    expect([again.status, await me(String(again.body['accessToken']))]).toEqual([200, 200]);
    expect(await list(String(again.body['accessToken']))).toHaveLength(1);
    // The refresh token of the first response was revoked. Its use ends the session.
    expect((await refresh(lost)).status).toBe(401);
    expect((await refresh(String(again.body['refreshToken']))).status).toBe(401);
  });

  it('is a 409 that ends nothing if the response was received', async () => {
    const { user } = await userOfTenant();
    const { refreshToken } = await signIn(user);
    const second = String((await refresh(refreshToken)).body['refreshToken']);
    const third = String((await refresh(second)).body['refreshToken']);
    const raced = await refresh(refreshToken);
    expect([raced.status, raced.body['errorCode']]).toEqual([409, 'refresh_raced']);
    expect((await refresh(third)).status).toBe(200);
  });

  it('ends the session after 10 s', async () => {
    const { user } = await userOfTenant();
    const { refreshToken } = await signIn(user);
    const next = String((await refresh(refreshToken)).body['refreshToken']);
    await service.db.query(
      `update refresh_tokens set used_at = used_at - interval '11 seconds' where used_at is not null and user_id = $1`,
      [user.id],
    );
    expect([(await refresh(refreshToken)).status, (await refresh(next)).status]).toEqual([401, 401]);
  });
});
