import { behindLock, eventually } from '@canvass/testing';
import { randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { startHarness, newUser, proofOf, type Harness } from './harness';

let service: Harness;
beforeAll(async () => {
  service = await startHarness();
});
afterAll(() => service.close());

const login = ({ email, password }: { email?: string; password?: string }) =>
  service.call('POST', '/api/auth/login', { body: { email, password } });
const refresh = (refreshToken: unknown) =>
  service.call('POST', '/api/auth/refresh-token', { body: { refreshToken } });
const me = (token: unknown) => service.call('GET', '/api/auth/me', { token: String(token) });

describe('POST /api/auth/login', () => {
  it('returns tokens that identify the user', async () => {
    const { admin, tenantId, adminId } = await service.newTenant();
    const { status, body, headers } = await login(admin);
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['accessToken', 'expiresAtUtc', 'refreshToken']);
    expect(headers.get('cache-control')).toBe('no-store');
    const token = jwt.decode(String(body['accessToken']), { complete: true })!;
    expect(token.header).toMatchObject({ alg: 'RS256', kid: expect.any(String) });
    expect(token.payload).toMatchObject({
      iss: 'canvass-identity',
      aud: 'canvass-api',
      sub: adminId,
      tid: tenantId,
      kind: 'user',
      roles: ['Admin'],
      email: admin.email,
      preferred_username: admin.email,
      jti: expect.any(String),
    });
    const { exp } = token.payload as { exp: number };
    expect(Math.abs(exp * 1000 - Date.parse(String(body['expiresAtUtc'])))).toBeLessThan(2000);
  });

  it('accepts the address in any case and with surrounding spaces', async () => {
    const { admin } = await service.newTenant();
    expect((await login({ ...admin, email: ` ${admin.email.toUpperCase()} ` })).status).toBe(200);
  });

  it('accepts a password in any Unicode form of its letters', async () => {
    const { token } = await service.newTenant();
    const { email } = await newUser(service, token, { password: 'Zo\u00eb-long-enough' });
    expect((await login({ email, password: 'Zoe\u0308-long-enough' })).status).toBe(200);
  });

  it('is a 401 for a user who was deleted meanwhile', async () => {
    const { token } = await service.newTenant();
    const user = await newUser(service, token);
    const [reply] = await behindLock(
      service.db,
      (tx) => tx.query('delete from users where id = $1', [user.id]),
      [() => login(user)],
    );
    expect([reply?.status, reply?.body['errorCode']]).toEqual([401, 'invalid_credentials']);
  });

  it('returns the same response to an unknown address, a wrong password and a disabled user', async () => {
    const { token, admin } = await service.newTenant();
    const user = await newUser(service, token, { isEnabled: false });
    const answers = await Promise.all([
      login({ email: `${randomUUID()}@acme.example`, password: 'some password' }),
      login({ email: admin.email, password: 'some password' }),
      login({ email: user.email, password: user.password }),
    ]);
    for (const { status, body, headers } of answers) {
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
      const { traceId: _, ...problem } = body;
      const { traceId: __, ...first } = answers[0].body;
      expect(problem).toEqual(first);
    }
  });

  it('names every missing field at once', async () => {
    const { status, body } = await login({});
    expect(status).toBe(400);
    expect(body['errors']).toEqual({ email: ['is required'], password: ['is required'] });
  });
});

describe('POST /api/auth/refresh-token', () => {
  it('returns new tokens for a refresh token, once', async () => {
    const { admin } = await service.newTenant();
    const first = (await login(admin)).body;
    const second = await refresh(first['refreshToken']);
    expect(second.status).toBe(200);
    expect(second.body['refreshToken']).not.toBe(first['refreshToken']);
    expect((await me(second.body['accessToken'])).status).toBe(200);
  });

  it('ends the whole family when a used token comes again, but no other login of the user', async () => {
    const { admin } = await service.newTenant();
    const stolen = (await login(admin)).body['refreshToken'];
    const other = (await login(admin)).body['refreshToken'];
    const newest = (await refresh(stolen)).body['refreshToken'];
    await service.db.query(`update refresh_tokens set used_at = used_at - interval '11 seconds'`);
    expect((await refresh(stolen)).status).toBe(401);
    expect((await refresh(newest)).status).toBe(401);
    expect((await refresh(other)).status).toBe(200);
  });

  it('leaves one valid refresh token after ten refreshes with one token at once', async () => {
    const { admin, adminId } = await service.newTenant();
    const session = (await login(admin)).body;
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(session['refreshToken'])));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const valid = await service.db.query(
      `select from refresh_tokens where user_id = $1 and used_at is null and revoked_at is null
         and family_id = (select family_id from refresh_tokens where token_hash = sha256($2::text::bytea))`,
      [adminId, session['refreshToken']],
    );
    expect(valid).toHaveLength(1);
  });

  it('returns the current roles', async () => {
    const { token } = await service.newTenant();
    const user = await newUser(service, token, { roles: ['Viewer'] });
    const session = (await login(user)).body;
    await service.call('PATCH', `/api/users/${user.id}`, { token, body: { roles: ['Editor'] } });
    const next = (await refresh(session['refreshToken'])).body;
    expect((await me(next['accessToken'])).body['roles']).toEqual(['Editor']);
  });

  it.each<[string, object]>([
    ['a new password', { password: 'another password' }],
    ['disabling the user', { isEnabled: false }],
  ])('is a 401 after %s', async (_name, body) => {
    const tenant = await service.newTenant();
    const { token } = tenant;
    const user = await newUser(service, token);
    const session = (await login(user)).body;
    const headers = await proofOf(service, tenant);
    await service.call('PATCH', `/api/users/${user.id}`, { token, headers, body });
    expect((await refresh(session['refreshToken'])).status).toBe(401);
  });

  it('is a 401 after the user was disabled and enabled again', async () => {
    const { token } = await service.newTenant();
    const user = await newUser(service, token);
    const session = (await login(user)).body;
    for (const isEnabled of [false, true]) {
      await service.call('PATCH', `/api/users/${user.id}`, { token, body: { isEnabled } });
    }
    expect((await refresh(session['refreshToken'])).status).toBe(401);
    expect((await login(user)).status).toBe(200);
  });

  it('is a 401 after the user was deleted', async () => {
    const { token } = await service.newTenant();
    const user = await newUser(service, token);
    const session = (await login(user)).body;
    await service.call('DELETE', `/api/users/${user.id}`, { token });
    expect((await refresh(session['refreshToken'])).status).toBe(401);
    expect((await me(session['accessToken'])).status).toBe(401);
  });

  it('is a 401 when it has expired', async () => {
    const { admin, adminId } = await service.newTenant();
    const session = (await login(admin)).body;
    await service.db.query('update refresh_tokens set expires_at = now() where user_id = $1', [adminId]);
    expect((await refresh(session['refreshToken'])).status).toBe(401);
  });

  it('stores no usable token', async () => {
    const { admin, adminId } = await service.newTenant();
    const token = String((await login(admin)).body['refreshToken']);
    const rows = await service.db.query('select t::text from refresh_tokens t where user_id = $1', [adminId]);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token).toString('hex'));
  });
});

describe('POST /api/auth/logout', () => {
  it('ends the session, including refreshed tokens', async () => {
    const { admin } = await service.newTenant();
    const first = (await login(admin)).body['refreshToken'];
    const second = (await refresh(first)).body['refreshToken'];
    const { status } = await service.call('POST', '/api/auth/logout', { body: { refreshToken: first } });
    expect(status).toBe(204);
    expect((await refresh(second)).status).toBe(401);
  });

  it('ends a session during a concurrent refresh', async () => {
    const { admin, adminId } = await service.newTenant();
    const token = (await login(admin)).body['refreshToken'];
    const waiting = async (statement: string, count: string) =>
      eventually(async () => {
        const [row] = await service.db.query<{ n: string }>(
          `select count(*) as n from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
          [`%${statement}%`],
        );
        return row!.n === count;
      });
    // The refresh has used up the token and waits to store the next one. Then the logout arrives.
    const [refreshed, ended] = await service.db
      .transaction(async (tx) => {
        await tx.query('select from users where id = $1 for update', [adminId]);
        const refreshing = refresh(token);
        await waiting('insert into refresh_tokens', '1');
        const ending = service.call('POST', '/api/auth/logout', { body: { refreshToken: token } });
        await waiting('set revoked_at', '1');
        return [refreshing, ending] as const;
      })
      .then((both) => Promise.all(both));
    expect([refreshed.status, ended.status]).toEqual([200, 204]);
    expect((await refresh(refreshed.body['refreshToken'])).status).toBe(401);
  });

  it('is a 204 for a token that is not valid', async () => {
    const { status } = await service.call('POST', '/api/auth/logout', { body: { refreshToken: 'nothing' } });
    expect(status).toBe(204);
  });
});

describe('GET /api/auth/me', () => {
  it('returns tenant, roles and permissions', async () => {
    const { token, tenantId, adminId, admin, name } = await service.newTenant();
    expect((await me(token)).body).toEqual({
      subject: adminId,
      kind: 'user',
      provider: 'Service',
      tenantId,
      tenantName: name,
      email: admin.email,
      name: null,
      roles: ['Admin'],
      permissions: expect.arrayContaining(['Users.Manage', 'Submissions.CreateOnBehalf']),
    });
  });

  it('is a 401 with a challenge without a token', async () => {
    const { status, headers } = await service.call('GET', '/api/auth/me');
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
  });
});
