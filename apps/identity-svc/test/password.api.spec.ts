import { testIssuer } from '@canvass/testing';
import { startHarness, newUser, startCopy, type Harness } from './harness';

let service: Harness;
beforeAll(async () => {
  service = await startHarness({ SignIn: { AttemptsPerAccountAndAddress: 3 } });
});
afterAll(() => service.close());

const path = '/api/auth/me/password';
const login = (body: object) => service.call('POST', '/api/auth/login', { body });
const refresh = (refreshToken: unknown) =>
  service.call('POST', '/api/auth/refresh-token', { body: { refreshToken } });

async function signedIn() {
  const { admin } = await service.newTenant();
  const { body } = await login(admin);
  const change = (currentPassword: string, newPassword: string, call = service.call) =>
    call('POST', path, { token: String(body['accessToken']), body: { currentPassword, newPassword } });
  return { admin, session: body, change };
}

describe('POST /api/auth/me/password', () => {
  it('sets the new password, ends every session and returns a new one', async () => {
    const { admin, session, change } = await signedIn();
    const elsewhere = (await login(admin)).body;
    const { status, body, headers } = await change(admin.password, 'a better password');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(Object.keys(body).sort()).toEqual(['accessToken', 'expiresAtUtc', 'refreshToken']);
    for (const ended of [session, elsewhere]) expect((await refresh(ended['refreshToken'])).status).toBe(401);
    expect((await refresh(body['refreshToken'])).status).toBe(200);
    expect((await login(admin)).status).toBe(401);
    expect((await login({ ...admin, password: 'a better password' })).status).toBe(200);
  });

  it('requires the current password and a different, long enough new one', async () => {
    const { admin, change } = await signedIn();
    const wrong = await change('not the password', 'a better password');
    expect([wrong.status, wrong.body['errors']]).toEqual([400, { currentPassword: ['is wrong'] }]);
    const same = await change(admin.password, admin.password);
    expect([same.status, same.body['errors']]).toEqual([
      400,
      { newPassword: ['must differ from the current password'] },
    ]);
    expect((await change(admin.password, 'short')).status).toBe(400);
    expect((await login(admin)).status).toBe(200);
  });

  it('counts attempts together with sign-in attempts', async () => {
    const { admin, change } = await signedIn();
    await login({ ...admin, password: 'a guess' });
    for (const expected of [400, 400, 429]) {
      expect((await change('another guess', 'a better password')).status).toBe(expected);
    }
    const right = await change(admin.password, 'a better password');
    expect([right.status, Number(right.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await login(admin)).status).toBe(429);
  });

  it('lets one of ten concurrent changes win', async () => {
    const { admin, change } = await signedIn();
    // One hash is computed per attempt, and the throttle counts running attempts, so it must be wider here.
    const wide = await startCopy({
      ...service.settings,
      SignIn: { ...service.settings.SignIn, AttemptsPerAccountAndAddress: 100 },
    });
    await wide.ready;
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => change(admin.password, `new password ${n}`, wide.call)),
    );
    await wide.stop();
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    // Too late to compare: the password was changed before. Too late to store: it was changed meanwhile.
    for (const { status } of answers) expect([200, 400, 409]).toContain(status);
    expect((await refresh(winners[0]!.body['refreshToken'])).status).toBe(200);
  });

  it('is only for users who sign in here: no service accounts, external identities or anonymous callers', async () => {
    const { token } = await service.newTenant();
    const user = await newUser(service, token);
    const body = { currentPassword: user.password, newPassword: 'a better password' };
    expect((await service.call('POST', path, { body })).status).toBe(401);
    const account = (await service.call('POST', '/api/service-accounts', { token, body: { name: 'CRM' } }))
      .body;
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: String(account['clientId']),
      client_secret: String(account['clientSecret']),
    });
    const machine = await service.call('POST', '/api/auth/token', {
      text: form.toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    const asMachine = await service.call('POST', path, { token: String(machine.body['access_token']), body });
    expect(asMachine.status).toBe(403);
    const session = (await login(user)).body;
    await service.call('PATCH', `/api/users/${user.id}`, { token, body: { isEnabled: false } });
    const disabled = await service.call('POST', path, { token: String(session['accessToken']), body });
    expect(disabled.status).toBe(401);
  });

  it('of an external identity with the number of a user here is a 403', async () => {
    const keycloak = await testIssuer({ shape: 'keycloak' });
    const { issuer: Issuer, audience: Audience, jwksUri: JwksUri } = keycloak;
    const provider = { Name: 'Keycloak', Issuer, Audience, JwksUri, TenantClaim: 'org' };
    const copy = await startCopy({
      ...service.settings,
      Auth: { ...service.settings.Auth, Providers: [provider] },
    });
    await copy.ready;
    const tenant = await service.newTenant();
    const { status } = await copy.call('POST', path, {
      token: keycloak.token({ org: tenant.tenantId, sub: tenant.adminId }),
      body: { currentPassword: tenant.admin.password, newPassword: 'a better password' },
    });
    expect(status).toBe(403);
    await copy.stop();
    await keycloak.close();
  });
});

it('the throttle is shared by all replicas and survives a restart', async () => {
  const { admin } = await service.newTenant();
  const guess = (call = service.call) =>
    call('POST', '/api/auth/login', { body: { ...admin, password: 'a guess' } });
  const copy = await startCopy(service.settings);
  await copy.ready;
  const both = [await guess(), await guess(copy.call), await guess(), await guess(copy.call), await guess()];
  expect(both.map(({ status }) => status)).toEqual([401, 401, 401, 429, 429]);
  await copy.stop();

  const again = await startCopy(service.settings);
  await again.ready;
  const right = await again.call('POST', '/api/auth/login', { body: admin });
  expect(right.status).toBe(429);
  await again.stop();
  await service.db.query('update sign_in_attempts set window_ends_at = now()');
  expect((await login(admin)).status).toBe(200);
});
