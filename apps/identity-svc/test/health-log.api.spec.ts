import { createHealthLog } from '@canvass/health-log';
import { HealthRegistry, silentLogger } from '@canvass/service-kit';
import { eventually } from '@canvass/testing';
import { newUser, startCopy, startHarness, type Harness } from './harness';

let service: Harness;
let token: string;
beforeAll(async () => {
  service = await startHarness();
  ({ token } = await service.newTenant());
});
afterAll(() => service.close());

const path = '/api/operations/health/identity';

interface Check {
  name: string;
  status: string;
  since: string;
}
interface Copy {
  copy: string;
  status: string;
  reportedAt: string;
  checks: Check[];
}
interface Change {
  id: string;
  at: string;
  copy: string;
  check: string;
  status: string;
}

async function copies(): Promise<Copy[]> {
  const { status, body } = await service.call('GET', path, { token });
  expect([status, body['service']]).toEqual([200, 'identity-svc']);
  return body['copies'] as Copy[];
}

async function history(query = ''): Promise<Change[]> {
  const { status, body } = await service.call('GET', `${path}/history?limit=200${query}`, { token });
  expect([query, status]).toEqual([query, 200]);
  return body['items'] as Change[];
}

/** The statuses of a check of one copy, oldest first. */
const historyOf = async (copy: string, name: string) =>
  (await history())
    .filter((change) => change.copy === copy && change.check === name)
    .map(({ status }) => status)
    .reverse();

/** A copy with a check of its own, which reports often. */
async function reporter() {
  const health = new HealthRegistry();
  const check = { status: 'Healthy' as 'Healthy' | 'Degraded' };
  const name = `check-${Math.random()}`;
  health.register({ name, tags: [], check: () => Promise.resolve({ status: check.status }) });
  const loop = createHealthLog({ db: service.db, health, logger: silentLogger, pauseMs: 50 });
  loop.start();
  const find = async () => {
    const found = (await copies()).find(({ checks }) => checks.some((each) => each.name === name));
    return found && { ...found, check: found.checks.find((each) => each.name === name)! };
  };
  await eventually(async () => expect(await find()).toBeDefined());
  return { loop, check, name, find, copy: (await find())!.copy };
}

it('shows each copy with its checks, and drops a copy that ended', async () => {
  const other = await startCopy(service.settings);
  await other.ready;
  const withDatabase = async () =>
    (await copies()).filter(({ checks }) => checks.some(({ name }) => name === 'identity-database'));
  await eventually(async () => {
    const found = await withDatabase();
    expect(found).toHaveLength(2);
    for (const { status, checks } of found) {
      expect(status).toBe('Healthy');
      expect(checks).toContainEqual({
        name: 'identity-database',
        status: 'Healthy',
        description: null,
        duration: expect.stringMatching(/^00:00:/),
        since: expect.any(String),
      });
    }
  });
  const before = (await withDatabase()).map(({ copy }) => copy);
  await other.stop();
  await eventually(async () => expect(await withDatabase()).toHaveLength(1));
  const left = (await withDatabase()).map(({ copy }) => copy);
  const [ended] = before.filter((copy) => !left.includes(copy));
  expect((await historyOf(ended!, 'identity-database')).at(-1)).toBe('Stopped');
});

it('records each change of a status once, and since when a check has it', async () => {
  const { loop, check, name, find, copy } = await reporter();
  const { since } = (await find())!.check;
  check.status = 'Degraded';
  await eventually(async () => expect((await find())!).toMatchObject({ status: 'Degraded' }));
  const degraded = (await find())!;
  expect(Date.parse(degraded.check.since)).toBeGreaterThan(Date.parse(since));
  await eventually(async () => expect((await find())!.reportedAt > degraded.reportedAt).toBe(true));
  expect((await find())!.check.since).toBe(degraded.check.since);
  check.status = 'Healthy';
  await eventually(async () => expect((await find())!).toMatchObject({ status: 'Healthy' }));
  await loop.stop();
  expect(await find()).toBeUndefined();
  expect(await historyOf(copy, name)).toEqual(['Healthy', 'Degraded', 'Healthy', 'Stopped']);
});

it('shows a copy that does not report as silent since its last report, and records it once', async () => {
  await service.db.query(
    `insert into health_checks (copy, check_name, status, duration, since, reported_at)
     values ('lost', 'database', 'Healthy', '00:00:00.0000000', now() - interval '1 hour', now() - interval '2 minutes')`,
  );
  const lost = (await copies()).find(({ copy }) => copy === 'lost')!;
  expect(lost).toMatchObject({ status: 'Silent', checks: [{ name: 'database', status: 'Silent' }] });
  expect(lost.checks[0]!.since).toBe(lost.reportedAt);
  const { loop } = await reporter();
  await eventually(async () => expect(await historyOf('lost', 'database')).toEqual(['Silent']));
  const [change] = (await history()).filter(({ copy }) => copy === 'lost');
  expect(change!.at).toBe(lost.reportedAt);
  await loop.stop();
  expect(await historyOf('lost', 'database')).toEqual(['Silent']);
});

it('filters the history by time and reads it in pages', async () => {
  const { loop } = await reporter();
  await loop.stop();
  const [newest, ...older] = await history();
  expect(older.length).toBeGreaterThan(0);
  expect(BigInt(newest!.id)).toBeGreaterThan(BigInt(older[0]!.id));
  expect(await history('&to=2026-01-01T00:00:00Z')).toEqual([]);
  expect(await history('&from=2126-01-01T00:00:00Z')).toEqual([]);
  expect((await history('&from=2026-01-01T00:00:00Z')).length).toBeGreaterThan(0);
  const { body } = await service.call('GET', `${path}/history?limit=2&total=exact`, { token });
  expect(body['items']).toHaveLength(2);
  expect(body['total']).toBeGreaterThan(2);
});

it('needs the permission Operations.View', async () => {
  const { email, password } = await newUser(service, token, { roles: ['Editor'] });
  const { body } = await service.call('POST', '/api/auth/login', { body: { email, password } });
  for (const each of [path, `${path}/history`]) {
    expect((await service.call('GET', each, { token: String(body['accessToken']) })).status).toBe(403);
    expect((await service.call('GET', each)).status).toBe(401);
  }
});
