import { createSecretBox } from '@canvass/auth';
import { randomBytes } from 'node:crypto';
import { codeOf, stepAt } from '../src/second-factor/totp';
import { startHarness, newEncryptionKey, newUser, proofOf, startCopy, type Harness } from './harness';
import { runOps } from './ops';

let service: Harness;
let copy: Awaited<ReturnType<typeof startCopy>>;
beforeAll(async () => {
  service = await startHarness();
  const SignIn = { ...service.settings.SignIn, SecondFactorRoles: ['Admin' as const] };
  copy = await startCopy({ ...service.settings, SignIn });
  await copy.ready;
});
afterAll(async () => {
  await copy.stop();
  await service.close();
});

const path = '/api/auth/me/second-factor';
type Login = { email: string; password: string };
const call = (...request: Parameters<Harness['call']>) => service.call(...request);
const login = ({ email, password }: Login, code?: string) =>
  call('POST', '/api/auth/login', { body: { email, password, ...(code === undefined ? {} : { code }) } });
/** A code of the app; `steps` later than now. */
const codeFor = (secret: string, steps = 0) => codeOf(secret, stepAt(Date.now()) + steps);
const forgetCodes = (userId: string) =>
  service.db.query('update second_factors set last_step = 0 where user_id = $1', [userId]);

/** A user with a second factor whose codes have not been used. */
async function enrolled() {
  const tenant = await service.newTenant();
  const user = await newUser(service, tenant.token);
  const token = String((await login(user)).body['accessToken']);
  const begun = await call('POST', path, { token, body: { currentPassword: user.password } });
  expect(begun.status).toBe(200);
  const secret = String(begun.body['secret']);
  const confirmed = await call('POST', `${path}/confirm`, { token, body: { code: codeFor(secret) } });
  expect(confirmed.status).toBe(200);
  await forgetCodes(user.id);
  return { tenant, user, token, secret, recovery: confirmed.body['recoveryCodes'] as string[], begun };
}

it('computes the codes of RFC 6238, appendix B, cut to six digits', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'; // "12345678901234567890"
  const seconds = [59, 1111111109, 1111111111, 1234567890, 2000000000];
  const codes = ['287082', '081804', '050471', '005924', '279037'];
  expect(seconds.map((second) => codeOf(secret, stepAt(second * 1000)))).toEqual(codes);
});

it('a sign-in with a second factor needs a code, also from a page', async () => {
  const { user, secret } = await enrolled();
  const without = await login(user);
  expect([without.status, without.body['errorCode']]).toEqual([401, 'second_factor_required']);
  expect((await login({ ...user, password: 'a wrong password' })).body['errorCode']).toBe(
    'invalid_credentials',
  );
  expect((await login(user, codeFor(secret))).status).toBe(200);
  const origin = new URL(service.url).origin;
  const page = (body: object) => call('POST', '/api/auth/session', { body, headers: { origin } });
  const { email, password } = user;
  expect((await page({ email, password })).status).toBe(401);
  await forgetCodes(user.id);
  expect((await page({ email, password, code: codeFor(secret) })).status).toBe(200);
});

it('refuses a code that was used, and older ones', async () => {
  const { user, secret } = await enrolled();
  const code = codeFor(secret, 1); // of the next step, so that the current one is older
  const both = await Promise.all([login(user, code), login(user, code)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  expect((await login(user, codeFor(secret))).status).toBe(401);
});

it('refuses codes of other times and of other users', async () => {
  const [one, other] = [await enrolled(), await enrolled()];
  for (const code of [codeFor(one.secret, 4), codeFor(one.secret, -4), codeFor(other.secret), '', 'abc'])
    expect([code, (await login(one.user, code)).status]).toEqual([code, code === '' ? 400 : 401]);
});

it('each recovery code works once', async () => {
  const { user, recovery } = await enrolled();
  expect(new Set(recovery).size).toBe(10);
  expect(recovery[0]).toMatch(/^([A-Z2-7]{4}-){6}[A-Z2-7]{4}$/);
  const [code] = recovery;
  const first = await login(user, code!.toLowerCase().replaceAll('-', ' '));
  expect([first.status, (await login(user, code)).status]).toEqual([200, 401]);
  const token = String(first.body['accessToken']);
  expect((await call('GET', path, { token })).body).toEqual({
    isEnabled: true,
    isRequired: false,
    recoveryCodesLeft: 9,
  });
});

it('wrong codes are limited for the account, from any address, even with the right password', async () => {
  const { user, secret } = await enrolled();
  const from = async (address: string, code: string) => {
    const { email, password } = user;
    const headers = { 'x-forwarded-for': address };
    const { status } = await call('POST', '/api/auth/login', { body: { email, password, code }, headers });
    return status;
  };
  for (let i = 0; i < 20; i += 1) expect(await from(`198.51.100.${i}`, '000000')).toBe(401);
  expect(await from('198.51.100.99', codeFor(secret))).toBe(429);
});

it('stores the secret sealed, and no recovery code', async () => {
  const { user, secret, recovery } = await enrolled();
  const [row] = await service.db.query<{ secret: string; all: string }>(
    'select secret, f::text as all from second_factors f where user_id = $1',
    [user.id],
  );
  expect(row!.all).not.toContain(secret);
  for (const code of recovery) expect(row!.all).not.toContain(code);
  const box = createSecretBox(service.settings.Encryption.Keys);
  expect(box.open(row!.secret, `totp:${user.id}`)).toBe(secret);
  expect(() => createSecretBox([newEncryptionKey()]).open(row!.secret, `totp:${user.id}`)).toThrow();
});

it('set-up needs the password, a right code, and is not possible twice', async () => {
  const tenant = await service.newTenant();
  const user = await newUser(service, tenant.token);
  const token = String((await login(user)).body['accessToken']);
  const begin = (currentPassword: string) => call('POST', path, { token, body: { currentPassword } });
  const confirm = (code: string) => call('POST', `${path}/confirm`, { token, body: { code } });
  expect((await confirm('123456')).status).toBe(409);
  expect((await begin('a wrong password')).body['errors']).toEqual({ currentPassword: ['is wrong'] });
  const { body } = await begin(user.password);
  const secret = String(body['secret']);
  expect(body['otpauthUri']).toContain(`secret=${secret}`);
  expect((await confirm('abcdef')).body['errors']).toEqual({ code: ['is wrong or was used before'] });
  expect((await login(user)).status).toBe(200);
  const other = (await login(user)).body['accessToken'];
  expect((await confirm(codeFor(secret))).status).toBe(200);
  expect((await call('GET', '/api/auth/me', { token: String(other) })).status).toBe(401);
  expect((await begin(user.password)).status).toBe(409);
});

it('is removed by the user with the password, and by an administrator of the tenant only', async () => {
  const { user, token, secret } = await enrolled();
  const remove = (currentPassword: string) =>
    call('POST', `${path}/remove`, { token, body: { currentPassword, code: codeFor(secret) } });
  expect((await remove('a wrong password')).status).toBe(400);
  expect((await remove(user.password)).status).toBe(204);
  expect((await login(user)).status).toBe(200);

  const lost = await enrolled();
  const target = `/api/users/${lost.user.id}/second-factor`;
  const stranger = await service.newTenant();
  const remover = async (of: { token: string; admin: { password: string } }) =>
    (await call('DELETE', target, { token: of.token, headers: await proofOf(service, of) })).status;
  expect(await remover(stranger)).toBe(404);
  expect((await call('DELETE', target, { token: lost.token })).status).toBe(403);
  expect(await remover(lost.tenant)).toBe(204);
  expect((await login(lost.user)).status).toBe(200);
});

it('a role that requires it is not in the tokens of users without it', async () => {
  const { token: admin } = await service.newTenant();
  const user = await newUser(service, admin, { roles: ['Admin', 'Viewer'] });
  const { email, password } = user;
  const first = (await copy.call('POST', '/api/auth/login', { body: { email, password } })).body;
  const token = String(first['accessToken']);
  const rolesOf = async (bearer: string) =>
    (await copy.call('GET', '/api/auth/me', { token: bearer })).body['roles'];
  expect(await rolesOf(token)).toEqual(['Viewer']);
  expect((await copy.call('GET', '/api/users', { token })).status).toBe(403);
  expect((await copy.call('GET', path, { token })).body).toMatchObject({
    isEnabled: false,
    isRequired: true,
  });

  const begun = await copy.call('POST', path, { token, body: { currentPassword: password } });
  expect([begun.status, begun.body['errorCode']]).toEqual([403, 'permission_denied']);
  expect(begun.body['detail']).toContain('link');
});

/** Signs in, and sets up the second factor that a role requires; returns the roles of the tokens after it. */
async function setUpRequired({ email, password }: Login) {
  const first = (await copy.call('POST', '/api/auth/login', { body: { email, password } })).body;
  const token = String(first['accessToken']);
  const begun = await copy.call('POST', path, { token, body: { currentPassword: password } });
  if (begun.status !== 200) return begun.status;
  const code = codeFor(String(begun.body['secret']));
  const confirmed = await copy.call('POST', `${path}/confirm`, { token, body: { code } });
  if (confirmed.status !== 200) return confirmed.status;
  const body = { refreshToken: first['refreshToken'] };
  const next = (await copy.call('POST', '/api/auth/refresh-token', { body })).body;
  const me = await copy.call('GET', '/api/auth/me', { token: String(next['accessToken']) });
  return me.body['roles'];
}
const setPassword = (token: unknown, newPassword: string) =>
  call('POST', '/api/auth/password-reset', { body: { token, newPassword } });

it('a required one is set up after the password was set with a link, within an hour', async () => {
  const tenant = await service.newTenant();
  const user = await newUser(service, tenant.token, { roles: ['Admin', 'Viewer'] });
  expect(await setUpRequired(user)).toBe(403);
  const headers = await proofOf(service, tenant);
  const made = await call('POST', `/api/users/${user.id}/password-link`, { token: tenant.token, headers });
  const password = randomBytes(12).toString('hex');
  expect((await setPassword(made.body['token'], password)).status).toBe(204);
  const next = { email: user.email, password };
  // The link was shown to an administrator, so the mailbox is not proved.
  await service.db.query('update users set mailbox_proved_at = now() where id = $1', [user.id]);
  await service.db.query(
    `update users set may_enrol_until = may_enrol_until - interval '1 hour' where id = $1`,
    [user.id],
  );
  expect(await setUpRequired(next)).toBe(403);
  await service.db.query(
    `update users set may_enrol_until = may_enrol_until + interval '1 hour' where id = $1`,
    [user.id],
  );
  expect(await setUpRequired(next)).toEqual(['Admin', 'Viewer']);
});

it('a password that an administrator sets takes the leave to set it up', async () => {
  const tenant = await service.newTenant();
  const user = await newUser(service, tenant.token, { roles: ['Admin'] });
  await service.db.query(`update users set may_enrol_until = now() + interval '1 hour' where id = $1`, [
    user.id,
  ]);
  const headers = await proofOf(service, tenant);
  const password = randomBytes(12).toString('hex');
  await call('PATCH', `/api/users/${user.id}`, { token: tenant.token, headers, body: { password } });
  await service.db.query('update users set mailbox_proved_at = now() where id = $1', [user.id]);
  expect(await setUpRequired({ email: user.email, password })).toBe(403);
});

it('the only administrator gets a link from the operator', async () => {
  const { admin, name } = await service.newTenant();
  expect(await setUpRequired(admin)).toBe(403);
  const named = ['--tenant', name, '--email', admin.email, '--yes'];
  const { rows } = await runOps(service.settings, 'users', 'reset-password', ...named);
  const password = randomBytes(12).toString('hex');
  expect((await setPassword(rows[0]!['token'], password)).status).toBe(204);
  expect(await setUpRequired({ email: admin.email, password })).toEqual(['Admin']);
});

it('refuses a recovery code that the user does not have', async () => {
  const { user } = await enrolled();
  expect((await login(user, randomBytes(10).toString('hex'))).status).toBe(401);
});
