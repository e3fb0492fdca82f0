import { createServiceTokens } from '@canvass/auth';
import type { Queryable } from '@canvass/postgres';
import { eventually } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import { internalSecret, startHarness, newUser, proofOf, type Harness } from './harness';

let service: Harness;
beforeAll(async () => {
  service = await startHarness();
});
afterAll(() => service.close());

const call = (...request: Parameters<Harness['call']>) => service.call(...request);
const signIn = async ({ email, password }: { email: string; password: string }) => {
  const { body } = await call('POST', '/api/auth/login', { body: { email, password } });
  return { access: String(body['accessToken']), refresh: String(body['refreshToken']) };
};

/** An administrator of a tenant and a second one, who is signed in. */
async function twoAdministrators() {
  const tenant = await service.newTenant();
  const user = await newUser(service, tenant.token, { roles: ['Admin'] });
  return { tenant, user, session: await signIn(user) };
}

async function newAccount(token: string, roles = ['Admin']) {
  const { body } = await call('POST', '/api/service-accounts', { token, body: { name: 'CRM', roles } });
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: String(body['clientId']),
    client_secret: String(body['clientSecret']),
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const issue = async () => {
    const issued = await call('POST', '/api/auth/token', { text: form.toString(), headers });
    return String(issued.body['access_token']);
  };
  return { id: String(body['id']), issue, token: await issue() };
}

/** Each operation that could undo a revocation, and reading. */
const operations: [method: string, path: (self: string) => string, body?: object][] = [
  ['GET', () => '/api/auth/me'],
  ['GET', () => '/api/users'],
  ['POST', () => '/api/users', { email: 'back@door.example', password: 'long enough 1', roles: ['Admin'] }],
  ['POST', () => '/api/service-accounts', { name: 'back door', roles: ['Admin'] }],
  ['PATCH', (self) => `/api/users/${self}`, { isEnabled: true, roles: ['Admin'] }],
];

async function expectRevoked(token: string, self: string): Promise<void> {
  for (const [method, path, body] of operations) {
    const { status, body: problem } = await call(method, path(self), { token, ...(body && { body }) });
    expect([method, path(self), status, problem['errorCode']]).toEqual([
      method,
      path(self),
      401,
      'invalid_token',
    ]);
  }
}

describe('the access token of a user is refused at once', () => {
  it.each<[string, object]>([
    ['disabled', { isEnabled: false }],
    ['demoted', { roles: ['Viewer'] }],
    ['given a new password', { password: 'another password' }],
    ['given a new address', { email: `${randomUUID()}@acme.example` }],
  ])('after the user was %s', async (_what, body) => {
    const { tenant, user, session } = await twoAdministrators();
    const headers = await proofOf(service, tenant);
    const changed = await call('PATCH', `/api/users/${user.id}`, { token: tenant.token, headers, body });
    expect(changed.status).toBe(200);
    await expectRevoked(session.access, user.id);
  });

  it('after the user was deleted', async () => {
    const { tenant, user, session } = await twoAdministrators();
    const { status } = await call('DELETE', `/api/users/${user.id}`, { token: tenant.token });
    expect(status).toBe(204);
    await expectRevoked(session.access, user.id);
  });

  it('after the user was disabled and enabled again', async () => {
    const { tenant, user, session } = await twoAdministrators();
    for (const isEnabled of [false, true]) {
      await call('PATCH', `/api/users/${user.id}`, { token: tenant.token, body: { isEnabled } });
    }
    await expectRevoked(session.access, user.id);
    expect((await call('GET', '/api/users', { token: (await signIn(user)).access })).status).toBe(200);
  });

  it('after a logout, and the other sessions of the user go on', async () => {
    const { user, session } = await twoAdministrators();
    const other = await signIn(user);
    await call('POST', '/api/auth/logout', { body: { refreshToken: session.refresh } });
    await expectRevoked(session.access, user.id);
    expect((await call('GET', '/api/users', { token: other.access })).status).toBe(200);
  });

  it('after the user changed the own password, and the new session stays', async () => {
    const { user, session } = await twoAdministrators();
    const { body } = await call('POST', '/api/auth/me/password', {
      token: session.access,
      body: { currentPassword: user.password, newPassword: 'another password' },
    });
    await expectRevoked(session.access, user.id);
    expect((await call('GET', '/api/users', { token: String(body['accessToken']) })).status).toBe(200);
  });

  it('after a used refresh token came again later than 10 s', async () => {
    const { user, session } = await twoAdministrators();
    const refresh = () =>
      call('POST', '/api/auth/refresh-token', { body: { refreshToken: session.refresh } });
    const { body } = await refresh();
    await service.db.query(
      `update refresh_tokens set used_at = now() - interval '11 seconds' where user_id = $1 and used_at is not null`,
      [user.id],
    );
    expect((await refresh()).status).toBe(401);
    await expectRevoked(session.access, user.id);
    await expectRevoked(String(body['accessToken']), user.id);
  });
});

it('keeps the session of a user whose roles change: the next refresh returns the new roles', async () => {
  const { tenant, user, session } = await twoAdministrators();
  await call('PATCH', `/api/users/${user.id}`, { token: tenant.token, body: { roles: ['Viewer'] } });
  const { status, body } = await call('POST', '/api/auth/refresh-token', {
    body: { refreshToken: session.refresh },
  });
  expect(status).toBe(200);
  const me = await call('GET', '/api/auth/me', { token: String(body['accessToken']) });
  expect(me.body['roles']).toEqual(['Viewer']);
});

it('a change of the name or the same roles revokes nothing', async () => {
  const { tenant, user, session } = await twoAdministrators();
  await call('PATCH', `/api/users/${user.id}`, {
    token: tenant.token,
    body: { name: 'Grace', roles: ['Admin'], isEnabled: true },
  });
  expect((await call('GET', '/api/users', { token: session.access })).status).toBe(200);
});

describe('the access token of a service account is refused at once', () => {
  it.each<[string, string, object | null]>([
    ['disabled', 'PATCH', { isEnabled: false }],
    ['given other roles', 'PATCH', { roles: ['Viewer'] }],
    ['deleted', 'DELETE', null],
  ])('after it was %s', async (_what, method, body) => {
    const tenant = await service.newTenant();
    const account = await newAccount(tenant.token);
    expect((await call('GET', '/api/users', { token: account.token })).status).toBe(200);
    const path = `/api/service-accounts/${account.id}`;
    expect((await call(method, path, { token: tenant.token, ...(body && { body }) })).status).toBeLessThan(
      205,
    );
    await expectRevoked(account.token, tenant.adminId);
  });

  it('and its next token has the new roles', async () => {
    const tenant = await service.newTenant();
    const account = await newAccount(tenant.token);
    const body = { roles: ['Viewer'] };
    await call('PATCH', `/api/service-accounts/${account.id}`, { token: tenant.token, body });
    const me = await call('GET', '/api/auth/me', { token: await account.issue() });
    expect([me.status, me.body['roles']]).toEqual([200, ['Viewer']]);
  });
});

describe('GET /internal/revocations', () => {
  interface Page {
    revocations: { kind: string; subject: string; minVersion: number | null; expiresAt: string }[];
    next: string;
    hasMore: boolean;
  }
  async function read(since = '0'): Promise<Page> {
    const token = createServiceTokens(internalSecret).sign('submissions-svc');
    const response = await fetch(`${service.internalUrl}/internal/revocations?since=${since}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
    return (await response.json()) as Page;
  }

  it('lists what was revoked since a position', async () => {
    const { tenant, user, session } = await twoAdministrators();
    const { next } = await read();
    await call('PATCH', `/api/users/${user.id}`, { token: tenant.token, body: { roles: ['Editor'] } });
    const account = await newAccount(tenant.token);
    await call('DELETE', `/api/service-accounts/${account.id}`, { token: tenant.token });
    await call('POST', '/api/auth/logout', { body: { refreshToken: session.refresh } });
    const page = await read(next);
    expect(page.revocations).toEqual(
      expect.arrayContaining([
        { kind: 'user', subject: user.id, minVersion: 2, expiresAt: expect.any(String) },
        { kind: 'service', subject: account.id, minVersion: null, expiresAt: expect.any(String) },
        { kind: 'session', subject: expect.any(String), minVersion: null, expiresAt: expect.any(String) },
      ]),
    );
    // Accounts as long as a submission token may live, sessions as long as an access token.
    const days = ({ expiresAt }: { expiresAt: string }) =>
      Math.floor((Date.parse(expiresAt) - Date.now()) / 86_400_000);
    // Open transactions of other databases keep older ones on the page.
    const subjects = new Set([user.id, account.id]);
    const own = page.revocations.filter(({ kind, subject }) => kind === 'session' || subjects.has(subject));
    for (const revocation of own)
      expect([revocation.kind, days(revocation)]).toEqual([
        revocation.kind,
        revocation.kind === 'session' ? 1 : 3_651,
      ]);
    await eventually(async () => (await read(page.next)).revocations.length === 0, { timeoutMs: 150_000 });
  }, 200_000);

  it('lists a revocation that was committed after a younger one', async () => {
    const { tenant, user } = await twoAdministrators();
    let next = '0';
    await service.db.transaction(async (tx) => {
      await tx.query(
        `insert into revocations (kind, subject, expires_at) values ('session', 'slow', now() + interval '1 hour')`,
      );
      await call('PATCH', `/api/users/${user.id}`, { token: tenant.token, body: { isEnabled: false } });
      const page = await read();
      expect(page.revocations.map(({ subject }) => subject)).toContain(user.id);
      expect(page.revocations.map(({ subject }) => subject)).not.toContain('slow');
      next = page.next;
    });
    expect((await read(next)).revocations.map(({ subject }) => subject)).toContain('slow');
  });

  it('begins again for a position of a past that was restored away', async () => {
    const { tenant, user } = await twoAdministrators();
    await call('DELETE', `/api/users/${user.id}`, { token: tenant.token });
    const page = await read('9000000000000000000');
    expect(page.revocations.map(({ subject }) => subject)).toContain(user.id);
  });

  it('comes in pages, and none is lost between them, while an older transaction is open', async () => {
    const add = (db: Queryable, prefix: string, count: number) =>
      db.query(
        `insert into revocations (kind, subject, expires_at)
         select 'session', $1 || n, now() + interval '1 hour' from generate_series(1, $2::int) n`,
        [prefix, count],
      );
    const seen = new Set<string>();
    let since = '0';
    const readToEnd = async (): Promise<void> => {
      for (let pages = 1; pages < 6; pages++) {
        const { revocations, next, hasMore } = await read(since);
        for (const { subject } of revocations) seen.add(subject);
        since = next;
        if (!hasMore) return;
      }
      throw new Error('the feed has no end');
    };
    await service.db.transaction(async (older) => {
      await add(older, 'older', 3);
      await add(service.db, 'page', 4500);
      await readToEnd();
      expect([...seen].filter((subject) => subject.startsWith('page'))).toHaveLength(4500);
    });
    await readToEnd();
    expect([...seen].filter((subject) => subject.startsWith('older'))).toHaveLength(3);
  });

  it('is not on the public port, and needs the token of a service', async () => {
    const { token } = await service.newTenant();
    expect((await call('GET', '/internal/revocations', { token })).status).toBe(404);
    const path = `${service.internalUrl}/internal/revocations`;
    expect((await fetch(path)).status).toBe(401);
    expect((await fetch(path, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);
  });
});
