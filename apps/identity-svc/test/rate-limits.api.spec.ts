import { createServiceTokens } from '@canvass/auth';
import { createDatabase } from '@canvass/postgres';
import { createHash, randomUUID } from 'node:crypto';
import { clearBudgets } from '../src/rate-limits/rate-budgets.sql';
import { caller, identityService, startCopy, type IdentityService } from './service';

const secret = 'a secret that gateways and this spec file know';
const path = '/internal/rate-limits/leases';
const aSubject = () => createHash('sha256').update(randomUUID()).digest('base64url');

interface Lease {
  subject: string;
  granted: number;
  remaining: number;
  msLeft: number;
}

let service: IdentityService;
let second: Awaited<ReturnType<typeof startCopy>>;
let internal: ReturnType<typeof caller>[];

beforeAll(async () => {
  service = await identityService({ RateLimits: { Secret: secret } });
  second = await startCopy(service.settings);
  await second.ready;
  internal = [caller(service.internalUrl), caller(second.internalUrl)];
});
afterAll(async () => {
  await second.stop();
  await service.stop();
});

const ask = (body: unknown, { copy = 0, token = createServiceTokens(secret).sign('gateway') } = {}) =>
  internal[copy]!('POST', path, { body, token });
async function lease(
  subject: string,
  limit: number,
  want: number,
  options?: { copy?: number; windowSeconds?: number },
): Promise<Lease> {
  const { body, status } = await ask(
    { windowSeconds: options?.windowSeconds ?? 3600, wishes: [{ subject, limit, want }] },
    options,
  );
  expect(status).toBe(200);
  return (body['leases'] as Lease[])[0]!;
}

it('lends a quarter of what is left at most, then single requests, then nothing', async () => {
  const subject = aSubject();
  const lent: number[] = [];
  for (let n = 0; n < 9; n += 1) lent.push((await lease(subject, 20, 100)).granted);
  expect(lent).toEqual([5, 3, 3, 2, 1, 1, 1, 1, 1]);
  expect(await lease(subject, 20, 2)).toMatchObject({ subject, granted: 1, remaining: 1 });
  expect(await lease(subject, 20, 2)).toMatchObject({ granted: 1, remaining: 0 });
  const { granted, remaining, msLeft } = await lease(subject, 20, 2);
  expect([granted, remaining]).toEqual([0, 0]);
  expect(msLeft).toBeGreaterThan(3_000_000);
  expect(msLeft).toBeLessThanOrEqual(3_600_000);
});

it('lends no more than the limit, whoever asks side by side', async () => {
  const subjects = [aSubject(), aSubject(), aSubject()];
  const limits = [17, 100, 1000];
  const answers = await Promise.all(
    Array.from({ length: 120 }, (_, n) =>
      ask(
        {
          windowSeconds: 3600,
          wishes: (n % 2 === 0 ? [0, 1, 2] : [2, 1, 0]).map((at) => ({
            subject: subjects[at],
            limit: limits[at],
            want: 1 + (n % 50),
          })),
        },
        { copy: n % 2 },
      ),
    ),
  );
  const leases = answers.flatMap(({ body }) => body['leases'] as Lease[]);
  const lent = subjects.map((subject) =>
    leases.filter((each) => each.subject === subject).reduce((sum, { granted }) => sum + granted, 0),
  );
  expect(lent[0]).toBe(17);
  expect(lent[1]).toBe(100);
  expect(lent[2]).toBeLessThanOrEqual(1000);
});

it('lends less at once when a limit is lowered, and never takes back', async () => {
  const subject = aSubject();
  expect(await lease(subject, 100, 20)).toMatchObject({ granted: 20, remaining: 80 });
  expect(await lease(subject, 10, 20)).toMatchObject({ granted: 0, remaining: 0 });
  expect(await lease(subject, 100, 4)).toMatchObject({ granted: 4, remaining: 76 });
});

it('begins a new window after the end of one, and removes what has ended', async () => {
  const [subject, idle] = [aSubject(), aSubject()];
  await lease(idle, 4, 1);
  await lease(subject, 4, 1);
  await service.db.query('update rate_budgets set window_ends_at = now() where subject = any($1)', [
    [subject, idle].map((each) => Buffer.from(each, 'base64url')),
  ]);
  expect(await lease(subject, 4, 1)).toMatchObject({ granted: 1, remaining: 3 });
  const db = createDatabase(service.settings.Database);
  await clearBudgets(db, 1);
  await db.close();
  const rows = await service.db.query<{ subject: Buffer }>(
    'select subject from rate_budgets where subject = any($1)',
    [[subject, idle].map((each) => Buffer.from(each, 'base64url'))],
  );
  expect(rows.map((row) => row.subject.toString('base64url'))).toEqual([subject]);
});

it.each([
  ['no wish', { windowSeconds: 60, wishes: [] }],
  [
    'a subject twice',
    { windowSeconds: 60, wishes: Array(2).fill({ subject: 'a'.repeat(43), limit: 1, want: 1 }) },
  ],
  ['a subject that is no hash', { windowSeconds: 60, wishes: [{ subject: 'x', limit: 1, want: 1 }] }],
  ['no limit', { windowSeconds: 60, wishes: [{ subject: 'a'.repeat(43), limit: 0, want: 1 }] }],
  ['no window', { windowSeconds: 0, wishes: [{ subject: 'a'.repeat(43), limit: 1, want: 1 }] }],
])('refuses %s', async (_, body) => {
  expect((await ask(body)).status).toBe(400);
});

it('is for gateways only, and not there at all without a secret', async () => {
  const body = { windowSeconds: 60, wishes: [{ subject: aSubject(), limit: 1, want: 1 }] };
  expect((await internal[0]!('POST', path, { body })).status).toBe(401);
  const stranger = createServiceTokens('another secret, of the other services, here').sign('gateway');
  expect((await ask(body, { token: stranger })).status).toBe(401);
  expect((await service.call('POST', path, { body })).status).toBe(404);
  const without = await startCopy({ ...service.settings, RateLimits: {} });
  await without.ready;
  expect((await caller(without.internalUrl)('POST', path, { body })).status).toBe(404);
  await without.stop();
});
