import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, migrate, type Database } from '@canvass/postgres';
import { testDatabase, type TestDatabase } from '@canvass/testing';
import { migrations } from '../migrations';
import { createTurns } from '../src/delivery';
import { claimByIds, claimDue, type ClaimedRow } from '../src/delivery/claim.sql';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await testDatabase({
    template: `webhook-relay-svc ${migrations.map(({ name }) => name).join()}`,
    schema: 'webhooks',
    prepare: async (url) => void (await migrate(url, migrations)),
  });
  db = createDatabase({ Url: database.url, PoolMax: 4 });
  // Endpoint 1 has a limit of ten in a second, endpoint 2 none; both have 200 due.
  await db.query(
    `insert into endpoints (tenant_id, id, scope, scope_id, url, max_in_flight, slots, max_per_second)
     values (1, 1, 'tenant', 1, 'http://127.0.0.1/', 100, 100, 10), (1, 2, 'tenant', 1, 'http://127.0.0.1/', 5, 5, null)`,
  );
  await db.query(
    `insert into messages (id, tenant_id, event_name, entity, action, body, occurred_at)
     values (1, 1, 'submission_completed', 'submission', 'updated', '{}', now())`,
  );
  await db.query(
    `insert into deliveries (tenant_id, message_id, endpoint_id, event_name, entity_id, occurred_at, next_attempt_at)
     select 1, 1, 1 + n % 2, 'submission_completed', n, now(), now() - interval '1 hour'
     from generate_series(1, 400) n`,
  );
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(async () => {
  await db.query('delete from leases');
  await db.query('update endpoints set next_send_at = null');
});

const apart = 0.105;
const due = ({ lead = 0, horizon = 0.5 } = {}) =>
  db.query<ClaimedRow>(claimDue, [randomUUID(), 30, 100, '-infinity', lead, horizon]);
const turnsOf = (rows: ClaimedRow[]) =>
  rows
    .filter(({ endpoint_id: id }) => id === '1')
    .map(({ send_at: at }) => at!)
    .sort((a, b) => a - b);
const least = (turns: number[]) => Math.min(...turns.slice(1).map((turn, n) => turn - turns[n]!));

describe('send slots of an endpoint with a rate limit', () => {
  it('are at a fixed interval within the horizon; an endpoint without a limit has none', async () => {
    const rows = await due();
    expect(turnsOf(rows)).toHaveLength(5);
    expect(least(turnsOf(rows))).toBeCloseTo(apart, 5);
    expect(turnsOf(rows)[0]).toBeLessThanOrEqual(rows[0]!.claimed_at);
    const others = rows.filter(({ endpoint_id: id }) => id === '2');
    expect(others.map(({ send_at: at }) => at)).toEqual(Array(5).fill(null));
    expect(await db.query('select from endpoints where id = 2 and next_send_at is null')).toHaveLength(1);
  });

  it('are each taken by one claim, for both ways to claim and with concurrent claims', async () => {
    const [one] = await db.query<{ ids: string[] }>(
      `select array_agg(id) as ids from (select id from deliveries where endpoint_id = 1 limit 50) d`,
    );
    const byIds = () => db.query<ClaimedRow>(claimByIds, [randomUUID(), 30, one!.ids, 0, 0.5]);
    const turns: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const claims = await Promise.all([due(), byIds(), due(), byIds()]);
      turns.push(...claims.flatMap(turnsOf));
      await sleep(50);
    }
    turns.sort((a, b) => a - b);
    expect(turns.length).toBeGreaterThan(4);
    expect(least(turns)).toBeGreaterThan(apart - 1e-5);
  });

  it('start after the lead time', async () => {
    const [{ now } = { now: 0 }] = await db.query<{ now: number }>(
      `select extract(epoch from now())::float8 as now`,
    );
    expect(turnsOf(await due({ lead: 0.4 }))[0]).toBeGreaterThanOrEqual(now + 0.4);
    expect(turnsOf(await due({ horizon: 0 })).length).toBeLessThanOrEqual(1);
  });

  it('are never far in the future after changes of the database clock', async () => {
    await db.query(`update endpoints set next_send_at = now() + interval '1 day' where id = 1`);
    expect(turnsOf(await due())).toEqual([]);
    const rows = await due({ horizon: 6 });
    expect(turnsOf(rows)[0]! - rows[0]!.claimed_at).toBeLessThanOrEqual(5);
  });
});

describe('a send slot in a process', () => {
  const { signal } = new AbortController();

  it('delays the delivery', async () => {
    const turns = createTurns(250);
    const at = performance.now() + 500;
    await expect(turns.wait(at, signal)).resolves.not.toBe('now');
    expect(performance.now()).toBeGreaterThanOrEqual(at);
  });

  it('is missed if it is long past; the next one is requested later', async () => {
    const turns = createTurns(250);
    expect(turns.parameters()).toEqual([0, 0.5]);
    expect(await turns.wait(performance.now() - 200, signal)).toBe('missed');
    expect(turns.parameters()[0]).toBeGreaterThanOrEqual(0.3);
  });

  it('is at the same time by both clocks, with late responses of the database', () => {
    jest.spyOn(performance, 'now').mockReturnValue(70_000);
    const turns = createTurns(250);
    const ahead = 1_000 - performance.now() / 1000;
    const databaseTime = () => performance.now() / 1000 + ahead;
    turns.hear(databaseTime() - 0.5);
    turns.hear(databaseTime());
    turns.hear(databaseTime() - 2);
    expect(turns.localTime(databaseTime() + 1) - performance.now()).toBeCloseTo(1_000, 3);
    jest.restoreAllMocks();
  });
});
