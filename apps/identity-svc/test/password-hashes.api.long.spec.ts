import { startHarness } from './harness';
import { hashPassword, isOutdated, passwordMatches } from '../src/users/passwords';

jest.unmock('argon2'); // here with the real cost

it('passwords are hashed by argon2id with the cost that OWASP recommends', async () => {
  const hash = await hashPassword('correct horse battery staple');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=47104,t=1,p=1\$/);
  expect(isOutdated(hash)).toBe(false);
  expect(isOutdated(hash.replace('m=47104', 'm=1024'))).toBe(true);
  expect(await passwordMatches(hash, 'correct horse battery staple')).toBe(true);
  expect(await passwordMatches(hash, 'another')).toBe(false);
});

it('an unknown account matches no password', async () => {
  expect(await passwordMatches(undefined, '')).toBe(false);
});

it('checks a limited number of passwords at once, and others get 503 without counting as failures', async () => {
  const service = await startHarness();
  const { admin } = await service.newTenant();
  const signIn = (n: number) =>
    service.call('POST', '/api/auth/login', {
      body: admin,
      headers: { 'x-forwarded-for': `10.0.${n}.1` },
    });
  const answers = await Promise.all(Array.from({ length: 150 }, (_, n) => signIn(n)));
  const shed = answers.filter(({ status }) => status === 503);
  expect(shed.length).toBeGreaterThan(0);
  for (const { headers, body } of shed)
    expect([headers.get('retry-after'), body['errorCode']]).toEqual(['2', 'service_unavailable']);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  expect(await service.db.query('select from sign_in_attempts where attempts > 0')).toHaveLength(0);
  await service.close();
}, 60_000);
