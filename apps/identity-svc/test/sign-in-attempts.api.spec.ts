import { randomBytes, randomInt } from 'node:crypto';
import { countAttempt, deleteEndedWindows } from '../src/tokens/sign-in-attempts.sql';
import { startHarness, newUser, type Harness } from './harness';

let service: Harness;
beforeAll(async () => {
  service = await startHarness({
    SignIn: { AttemptsPerAccountAndAddress: 3, AttemptsPerAccount: 6, AttemptsPerAddress: 9 },
  });
});
afterAll(() => service.close());

const anAddress = () => `203.0.${randomInt(256)}.${randomInt(256)}`;
const login = (email: string, password: string, address: string) =>
  service.call('POST', '/api/auth/login', {
    body: { email, password },
    headers: { 'x-forwarded-for': address },
  });
const statuses = async (tries: (() => ReturnType<typeof login>)[]) => {
  const seen: number[] = [];
  for (const each of tries) seen.push((await each()).status);
  return seen;
};
const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i));

it('stops guessing one account from one address, even with the right password, with Retry-After', async () => {
  const { admin } = await service.newTenant();
  const address = anAddress();
  const wrong = () => login(admin.email, 'wrong password', address);
  expect(await statuses([wrong, wrong, wrong, wrong])).toEqual([401, 401, 401, 429]);
  const { status, headers, body } = await login(admin.email, admin.password, address);
  expect(status).toBe(429);
  expect(body['errorCode']).toBe('too_many_requests');
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(800);
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(900);
  expect((await login(admin.email, admin.password, anAddress())).status).toBe(200);
});

it('counts concurrent attempts', async () => {
  const { admin } = await service.newTenant();
  const address = anAddress();
  const answers = await Promise.all(times(20, () => login(admin.email, 'wrong password', address)));
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(17);
});

it('rejects and counts no attempt because of concurrent successful attempts', async () => {
  // More at once than one account may fail from one address, and fewer than from anywhere.
  const usual = await startHarness();
  const { token } = await usual.newTenant();
  const account = await usual.call('POST', '/api/service-accounts', { token, body: { name: 'CRM' } });
  const text = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: String(account.body['clientId']),
    client_secret: String(account.body['clientSecret']),
  }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const issue = () => usual.call('POST', '/api/auth/token', { text, headers });
  const answers = await Promise.all(times(16, issue));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await usual.db.query('select from sign_in_attempts where attempts > 0')).toHaveLength(0);
  await usual.close();
});

it('does not count rejected attempts: one address alone cannot lock an account for all', async () => {
  const { admin } = await service.newTenant();
  const address = anAddress();
  const wrong = () => login(admin.email, 'wrong password', address);
  expect(await statuses(times(8, () => wrong))).toEqual([401, 401, 401, 429, 429, 429, 429, 429]);
  expect((await login(admin.email, admin.password, anAddress())).status).toBe(200);
});

it('forgets failures after a success', async () => {
  const { admin } = await service.newTenant();
  const address = anAddress();
  const wrong = () => login(admin.email, 'wrong password', address);
  const right = () => login(admin.email, admin.password, address);
  expect(await statuses([wrong, wrong, right, wrong, wrong, right])).toEqual([401, 401, 200, 401, 401, 200]);
});

it('stops guessing one account from many addresses', async () => {
  const { admin } = await service.newTenant();
  const tries = times(7, (i) => () => login(admin.email, 'wrong password', `192.0.2.${i}`));
  expect(await statuses(tries)).toEqual([401, 401, 401, 401, 401, 401, 429]);
});

it('stops one address that tries many accounts, an unknown one like a known one', async () => {
  const address = anAddress();
  const tries = times(10, (i) => () => login(`unknown-${i}@x.example`, 'wrong password', address));
  expect(await statuses(tries)).toEqual([...times(9, () => 401), 429]);
});

it('counts the addresses of one IPv6 network together', async () => {
  const { token } = await service.newTenant();
  const { email } = await newUser(service, token);
  const from = (last: string) => () => login(email, 'wrong password', `2001:db8:7:7::${last}`);
  expect(await statuses([from('1'), from('2'), from('3'), from('4')])).toEqual([401, 401, 401, 429]);
});

it('distinguishes clients by address even if a proxy adds the port', async () => {
  const { admin } = await service.newTenant();
  const from = (address: string) => () => login(admin.email, 'wrong password', address);
  for (const [one, other] of [
    ['198.51.100.7', '198.51.100.8'],
    ['[2001:db8:7:8::1]', '[2001:db8:7:9::1]'],
  ] as const) {
    const tries = [1, 2, 3, 4].map((port) => from(`${one}:${port}`));
    expect(await statuses([...tries, from(`${other}:1`)])).toEqual([401, 401, 401, 429, 401]);
    await service.db.query('delete from sign_in_attempts');
  }
});

it('accepts attempts again when the window has ended', async () => {
  const { admin } = await service.newTenant();
  const address = anAddress();
  await statuses(times(5, () => () => login(admin.email, 'wrong password', address)));
  await service.db.query('update sign_in_attempts set window_ends_at = now()');
  expect((await login(admin.email, admin.password, address)).status).toBe(200);
});

it('does not wait for an attempt when deleting ended windows, which would deadlock', async () => {
  const [counted, ended] = [randomBytes(32), randomBytes(32)];
  await countAttempt(service.db, [counted, ended], 15);
  await service.db.query(`update sign_in_attempts set window_ends_at = now() - interval '1 minute'`);
  await service.db.transaction(async (tx) => {
    await countAttempt(tx, [counted], 15);
    await deleteEndedWindows(service.db);
    await countAttempt(tx, [ended], 15);
  });
  const rows = await service.db.query<{ attempts: number }>(
    'select attempts from sign_in_attempts where subject = any($1)',
    [[counted, ended]],
  );
  expect(rows.map(({ attempts }) => attempts)).toEqual([1, 1]);
});

it('ignores an invalid address', async () => {
  const { admin } = await service.newTenant();
  for (const address of ['unknown', '999.1.1.1', 'a'.repeat(5000), ', ,', '[::1]:80']) {
    expect((await login(admin.email, admin.password, address)).status).toBe(200);
  }
});

describe('no client can lock an account for its owner', () => {
  it('failures from everywhere do not keep out an address that signed in before', async () => {
    const { admin } = await service.newTenant();
    const home = anAddress();
    expect((await login(admin.email, admin.password, home)).status).toBe(200);
    const tries = times(8, (i) => () => login(admin.email, 'wrong password', `192.0.2.${100 + i}`));
    expect(await statuses(tries)).toEqual([...times(6, () => 401), 429, 429]);
    expect((await login(admin.email, admin.password, home)).status).toBe(200);
    expect((await login(admin.email, admin.password, anAddress())).status).toBe(429);
    const guess = () => login(admin.email, 'wrong password', home);
    expect(await statuses([guess, guess, guess, guess])).toEqual([401, 401, 401, 429]);
  });

  it('an address is not known any more after 30 days', async () => {
    const { admin } = await service.newTenant();
    const home = anAddress();
    await login(admin.email, admin.password, home);
    await service.db.query(
      `update sign_in_attempts set window_ends_at = window_ends_at - interval '30 days'`,
    );
    const tries = times(7, (i) => () => login(admin.email, 'wrong password', `192.0.2.${120 + i}`));
    await statuses(tries);
    expect((await login(admin.email, admin.password, home)).status).toBe(429);
  });

  it('wrong secrets of a service account from one network do not lock it, from anywhere', async () => {
    const { token } = await service.newTenant();
    const { body } = await service.call('POST', '/api/service-accounts', { token, body: { name: 'CRM' } });
    const issue = async (secret: unknown, address: string) => {
      const form = { client_id: String(body['clientId']), client_secret: String(secret) };
      const { status } = await service.call('POST', '/api/auth/token', {
        text: new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address },
      });
      return status;
    };
    const near = anAddress();
    for (let i = 0; i < 8; i += 1) expect(await issue('a wrong secret', near)).toBe(401);
    expect(await issue(body['clientSecret'], near)).toBe(200);
    for (let i = 0; i < 20; i += 1) await issue('a wrong secret', `198.18.0.${i}`);
    expect(await issue(body['clientSecret'], anAddress())).toBe(200);
  });

  it('counts a /56 and a /48 network, so that one subscriber is not many clients', async () => {
    const { admin } = await service.newTenant();
    const from = (third: number) => () =>
      login(`${third}-${admin.email}`, 'wrong password', `2001:db8:9:${third.toString(16)}::1`);
    // 9 failures for an address, 18 for its /56.
    expect(await statuses(times(19, from))).toEqual([...times(18, () => 401), 429]);
    // 36 for the /48: another /56 has 18 left.
    const next = times(19, (i) => from(0x100 + i));
    expect(await statuses(next)).toEqual([...times(18, () => 401), 429]);
    expect((await from(0x200)()).status).toBe(429);
  });
});
