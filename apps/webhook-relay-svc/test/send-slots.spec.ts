import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, migrate, type Database } from '@canvass/postgres';
import { testDatabase, type TestDatabase } from '@canvass/testing';
import { migrations } from '../migrations';
import { createSendSlots } from '../src/pipeline';
import type { LeasedRow } from '../src/pipeline/claim.sql';
import { claimOf, dueClaim } from './claims';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await testDatabase({
    migrations,
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
    `insert into waiting (tenant_id, message_id, endpoint_id, event_name, entity_id, occurred_at, due_at)
     select 1, 1, 1 + n % 2, 'submission_completed', n, now(), now() - interval '1 minute'
     from generate_series(1, 400) n`,
  );
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(async () => {
  await db.query('update waiting set lease = null, lease_until = null where lease is not null');
  await db.query(
    `update endpoints set in_flight = 0, next_send_at = null, first_due = now() - interval '1 hour'`,
  );
});

const apart = 0.105;
const due = (lead = 0) => db.query(dueClaim({ leadSeconds: lead }));
const slotsOf = (rows: LeasedRow[]) =>
  rows
    .filter(({ endpointId: id }) => id === '1')
    .map(({ sendAt: at }) => at!)
    .sort((a, b) => a - b);
const least = (slots: number[]) => Math.min(...slots.slice(1).map((slot, n) => slot - slots[n]!));

describe('send slots of an endpoint with a limit', () => {
  it('are a fixed time apart, as many as fit into a second; an endpoint without a limit has none', async () => {
    const rows = await due();
    expect(slotsOf(rows)).toHaveLength(10);
    expect(least(slotsOf(rows))).toBeCloseTo(apart, 5);
    expect(slotsOf(rows)[0]).toBeLessThanOrEqual(rows[0]!.claimedAt);
    const others = rows.filter(({ endpointId: id }) => id === '2');
    expect(others.map(({ sendAt: at }) => at)).toEqual(Array(5).fill(null));
    expect(await db.query('select from endpoints where id = 2 and next_send_at is null')).toHaveLength(1);
  });

  it('are each taken by one claim, for both ways to claim and with concurrent claims', async () => {
    const [one] = await db.query<{ ids: string[] }>(
      `select array_agg(id) as ids from (select id from waiting where endpoint_id = 1 limit 50) d`,
    );
    const byIds = () => db.query(claimOf(...one!.ids.map((id) => ['1', '1', id] as const)));
    const taken: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const claims = await Promise.all([due(), byIds(), due(), byIds()]);
      taken.push(...claims.flatMap(slotsOf));
      await sleep(50);
    }
    taken.sort((a, b) => a - b);
    expect(taken.length).toBeGreaterThan(9);
    expect(least(taken)).toBeGreaterThan(apart - 1e-5);
  });

  it('start after the lead time', async () => {
    const [{ now } = { now: 0 }] = await db.query<{ now: number }>(
      `select extract(epoch from now())::float8 as now`,
    );
    expect(slotsOf(await due(0.4))[0]).toBeGreaterThanOrEqual(now + 0.4);
  });

  it('are never far in the future after changes of the database clock', async () => {
    await db.query(`update endpoints set next_send_at = now() + interval '1 day' where id = 1`);
    expect(slotsOf(await due())).toEqual([]);
    const [row] = await db.query<{ seconds: number }>(
      `select extract(epoch from ready_at - clock_timestamp())::float8 as seconds from endpoints where id = 1`,
    );
    expect(row!.seconds).toBeLessThanOrEqual(5);
    const [slot] = await db.query<{ seconds: number }>(
      `select extract(epoch from first_slot - now())::float8 as seconds
       from send_slots(10, now() + interval '1 day', now())`,
    );
    expect(slot!.seconds).toBe(5);
  });
});

describe('a send slot in a process', () => {
  const { signal } = new AbortController();

  it('is waited for', async () => {
    const slots = createSendSlots();
    const at = performance.now() + 500;
    await expect(slots.wait(at, signal)).resolves.not.toBe('now');
    expect(performance.now()).toBeGreaterThanOrEqual(at);
  });

  it('is missed when it is long over; the next are asked for later', async () => {
    const slots = createSendSlots();
    expect(slots.leadSeconds()).toBe(0);
    expect(await slots.wait(performance.now() - 200, signal)).toBe('missed');
    expect(slots.leadSeconds()).toBeGreaterThanOrEqual(0.3);
  });

  it('is at the same time by both clocks, with late responses of the database', () => {
    jest.spyOn(performance, 'now').mockReturnValue(70_000);
    const slots = createSendSlots();
    const ahead = 1_000 - performance.now() / 1000;
    const databaseTime = () => performance.now() / 1000 + ahead;
    slots.observeClock(databaseTime() - 0.5);
    slots.observeClock(databaseTime());
    slots.observeClock(databaseTime() - 2);
    expect(slots.localTime(databaseTime() + 1) - performance.now()).toBeCloseTo(1_000, 3);
    jest.restoreAllMocks();
  });
});
