import { randomBytes, randomUUID } from 'node:crypto';
import { codeOf, stepAt } from '../src/second-factor/totp';
import { newUser, proofOf, startHarness, type Harness } from './harness';

/**
 * Checks what the administrator of one tenant learns about the users of another. The address of the victim is
 * known, and the attacker makes users with the same address.
 */
let service: Harness;
beforeAll(async () => {
  service = await startHarness({
    SignIn: { AttemptsPerAccountAndAddress: 3, AttemptsPerAccount: 6, AttemptsPerAddress: 10_000 },
  });
});
afterAll(() => service.close());

const aPassword = () => randomBytes(12).toString('hex');
const login = (body: object, address = '203.0.113.1') =>
  service.call('POST', '/api/auth/login', { body, headers: { 'x-forwarded-for': address } });
const refusals = async (userId: string) =>
  (
    await service.db.query(
      `select from audit where action = 'session.refused' and object_id = $1 and tenant_id =
         (select tenant_id from users where id = $1::bigint)`,
      [userId],
    )
  ).length;
/** Makes a sign-in without a tenant possible, as a link by mail does. */
const prove = (id: string) =>
  service.db.query('update users set mailbox_proved_at = now() where id = $1', [id]);
const unproved = { isProved: false };

async function victimAndTwin() {
  const [a, b] = [await service.newTenant(), await service.newTenant()];
  const victim = await newUser(service, a.token, { roles: ['Admin'] });
  const { email } = victim;
  const twin = await newUser(service, b.token, { email, password: aPassword() }, unproved);
  return { a, b, victim, twin };
}

it('an administrator cannot try passwords of a user of another tenant with a user of the own tenant', async () => {
  const { b, victim, twin } = await victimAndTwin();
  const seen: unknown[] = [];
  for (const guess of [aPassword(), aPassword(), aPassword(), aPassword(), victim.password]) {
    await service.call('PATCH', `/api/users/${twin.id}`, {
      token: b.token,
      body: { password: guess },
      headers: await proofOf(service, b),
    });
    const { status, body } = await login({ email: victim.email, password: guess });
    seen.push([status, body['errorCode']]);
  }
  expect(seen).toEqual([
    ...[1, 2, 3].map(() => [401, 'invalid_credentials']),
    ...[1, 2].map(() => [429, 'too_many_requests']),
  ]);
  expect(await refusals(victim.id)).toBe(3);
  expect(await refusals(twin.id)).toBe(0);
});

it('a user whose mailbox was not proved signs in with the tenant only', async () => {
  const { b, twin } = await victimAndTwin();
  const { email, password } = twin;
  const without = await login({ email, password });
  expect([without.status, without.body['errorCode']]).toEqual([401, 'invalid_credentials']);
  expect(without.body['detail']).toContain('tenant');
  expect((await login({ email, password, tenant: b.name })).status).toBe(200);
  const unknown = await login({ email: `${randomUUID()}@acme.example`, password });
  expect(unknown.body['detail']).toBe(without.body['detail']);
});

it('a success clears the failures of its own account only, and counts as one for the others', async () => {
  const { a, victim, twin } = await victimAndTwin();
  await prove(twin.id);
  const { email } = victim;
  // Each is right for the twin, and a guess for the victim.
  for (let i = 0; i < 4; i += 1) expect((await login({ email, password: twin.password })).status).toBe(200);
  expect(await refusals(victim.id)).toBe(3);
  // The victim had its three failures, so its password is not compared any more.
  expect((await login({ email, password: victim.password })).status).toBe(401);
  expect((await login({ email, password: victim.password, tenant: a.name })).status).toBe(401);
  expect((await login({ email, password: victim.password }, '203.0.113.2')).status).toBe(200);
});

it('a wrong current password counts for the own account, and not for one with the same address', async () => {
  const { a, b, victim, twin } = await victimAndTwin();
  const session = await login({ email: twin.email, password: twin.password, tenant: b.name });
  const token = String(session.body['accessToken']);
  for (const expected of [400, 400, 400, 429]) {
    const body = { currentPassword: aPassword(), newPassword: aPassword() };
    const headers = { 'x-forwarded-for': '203.0.113.1' };
    const path = '/api/auth/me/password';
    expect((await service.call('POST', path, { token, body, headers })).status).toBe(expected);
  }
  const right = { email: victim.email, password: victim.password, tenant: a.name };
  expect((await login(right)).status).toBe(200);
});

it('attempts with and without a tenant show the same for a known and an unknown address', async () => {
  const { a, victim } = await victimAndTwin();
  const walk = async (email: string) => {
    const seen: number[] = [];
    for (const tenant of [a.name, a.name, a.name, a.name, undefined, undefined, undefined, undefined])
      seen.push((await login({ email, password: aPassword(), ...(tenant && { tenant }) })).status);
    return seen;
  };
  const known = await walk(victim.email);
  expect(known).toEqual([401, 401, 401, 429, 401, 401, 401, 429]);
  expect(await walk(`${randomUUID()}@acme.example`)).toEqual(known);
});

it('a known and an unknown address count as many subjects, so the work is the same', async () => {
  const { victim } = await victimAndTwin();
  const subjects = async (email: string) => {
    await service.db.query('delete from sign_in_attempts');
    await login({ email, password: aPassword() });
    return (await service.db.query('select from sign_in_attempts')).length;
  };
  expect(await subjects(`${randomUUID()}@acme.example`)).toBe(await subjects(victim.email));
});

it('asks for the second factor before it says that several accounts have the password', async () => {
  const [a, b] = [await service.newTenant(), await service.newTenant()];
  const password = aPassword();
  const one = await newUser(service, a.token, { password });
  const other = await newUser(service, b.token, { email: one.email, password });
  expect((await login({ email: one.email, password })).body['errorCode']).toBe('tenant_required');
  expect([await refusals(one.id), await refusals(other.id)]).toEqual([1, 1]);

  const session = await login({ email: one.email, password, tenant: a.name });
  const token = String(session.body['accessToken']);
  const path = '/api/auth/me/second-factor';
  const begun = await service.call('POST', path, { token, body: { currentPassword: password } });
  const code = (steps: number) => codeOf(String(begun.body['secret']), stepAt(Date.now()) + steps);
  await service.call('POST', `${path}/confirm`, { token, body: { code: code(0) } });
  expect((await login({ email: one.email, password })).body['errorCode']).toBe('second_factor_required');
  expect((await login({ email: one.email, password, code: code(1) })).status).toBe(200);
});

it.each([
  ['an administrator sets the password', { password: 'another long passphrase' }],
  ['an administrator sets the address', { email: `${randomUUID()}@acme.example` }],
])('a mailbox is not proved any more when %s', async (_name, change) => {
  const { a, victim } = await victimAndTwin();
  const headers = await proofOf(service, a);
  const path = `/api/users/${victim.id}`;
  expect((await service.call('PATCH', path, { token: a.token, body: change, headers })).status).toBe(200);
  const next = { email: victim.email, password: victim.password, ...change };
  expect((await login(next)).status).toBe(401);
  expect((await login({ ...next, tenant: a.name })).status).toBe(200);
});
