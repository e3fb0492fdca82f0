import { eventually } from '@canvass/testing';
import jwt from 'jsonwebtoken';
import { startHarness, type Harness } from './harness';
import { runOps } from './ops';

let service: Harness;
beforeAll(async () => {
  service = await startHarness();
});
afterAll(() => service.close());

const kidOf = (token: string) => jwt.decode(token, { complete: true })!.header.kid!;
const signIn = async (admin: object) => {
  const { body } = await service.call('POST', '/api/auth/login', { body: admin });
  return String(body['accessToken']);
};
const me = async (token: string) => (await service.call('GET', '/api/auth/me', { token })).status;
const published = async () => {
  const { body } = await service.call('GET', '/.well-known/jwks.json');
  return (body['keys'] as { kid: string }[]).map(({ kid }) => kid);
};

it('keys rotate --revoke ends the tokens of all other keys at once, and a new key signs', async () => {
  const { admin, token } = await service.newTenant();
  const old = kidOf(token);
  const { status, rows } = await runOps(service.settings, 'keys', 'rotate', '--revoke', '--yes');
  expect([status, rows]).toEqual([0, [{ kid: expect.any(String), withdrawn: [old] }]]);
  expect(await me(token)).toBe(401);
  const fed = await service.db.query(
    `select min_version from revocations where kind = 'key' and subject = $1`,
    [old],
  );
  expect(fed).toEqual([{ min_version: null }]);
  await eventually(
    async () => {
      const next = await signIn(admin);
      expect(kidOf(next)).toBe(rows[0]!['kid']);
      expect(await me(next)).toBe(200);
      expect(await published()).toEqual([rows[0]!['kid']]);
    },
    { timeoutMs: 20_000 },
  );
});

it('keys rotate without --revoke keeps the tokens of the other keys', async () => {
  const { admin, token } = await service.newTenant();
  const { rows } = await runOps(service.settings, 'keys', 'rotate', '--yes');
  await eventually(async () => expect(kidOf(await signIn(admin))).toBe(rows[0]!['kid']), {
    timeoutMs: 20_000,
  });
  expect(await me(token)).toBe(200);
  expect((await runOps(service.settings, 'keys')).rows.map(({ kid }) => kid)).toEqual(
    expect.arrayContaining(await published()),
  );
});

it('keys rotate without --yes changes nothing', async () => {
  const before = await published();
  const { status, said } = await runOps(service.settings, 'keys', 'rotate', '--revoke');
  expect([status, said]).toEqual([2, expect.stringContaining('--yes')]);
  expect(await published()).toEqual(before);
});
