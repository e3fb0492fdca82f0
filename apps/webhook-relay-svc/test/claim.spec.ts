import { randomUUID } from 'node:crypto';
import { createDatabase, migrate, type Database } from '@canvass/postgres';
import { testDatabase, type TestDatabase } from '@canvass/testing';
import { migrations } from '../migrations';
import {
  claimByIds,
  claimDue,
  deleteLostLeases,
  freeSlots,
  waitingSince,
  type ClaimedRow,
} from '../src/delivery/claim.sql';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await testDatabase({
    template: `webhook-relay-svc ${migrations.map(({ name }) => name).join()}`,
    schema: 'webhooks',
    prepare: async (url) => void (await migrate(url, migrations)),
  });
  db = createDatabase({ Url: database.url, PoolMax: 4, StatementTimeoutMs: 120_000 });
  // Ten endpoints: the first has 20,000 due deliveries, the others three each; 100,000 are long delivered.
  await db.query(
    `insert into endpoints (tenant_id, id, scope, scope_id, url)
     select 1, e, 'tenant', 1, 'http://127.0.0.1/' from generate_series(1, 10) e`,
  );
  await db.query(
    `insert into messages (id, tenant_id, event_name, entity, action, body, occurred_at)
     values (1, 1, 'submission_completed', 'submission', 'updated', '{}', now())`,
  );
  const made = `insert into deliveries (tenant_id, message_id, endpoint_id, event_name, entity_id, occurred_at, status,
                                        next_attempt_at)`;
  await db.query(
    `${made} select 1, 1, 1 + n % 10, 'submission_completed', n, now(), 'delivered', null
     from generate_series(1, 100000) n`,
  );
  await db.query(
    `${made} select 1, 1, 1, 'submission_completed', n, now(), 'failed', now() - interval '1 hour'
     from generate_series(1, 20000) n`,
  );
  await db.query(
    `${made} select 1, 1, 2 + n % 9, 'submission_completed', n, now(), 'failed', now() - interval '1 minute'
     from generate_series(1, 27) n`,
  );
  await db.query('analyze');
}, 180_000);
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(() => db.query('delete from leases'));

const due = async (limit: number, leaseSeconds = 30) => {
  const [row] = await db.query<{ since: string }>(waitingSince);
  return db.query<ClaimedRow>(claimDue, [randomUUID(), leaseSeconds, limit, row!.since, 0, 0.5]);
};
const perEndpoint = (rows: ClaimedRow[]) =>
  Array.from({ length: 10 }, (_, e) => rows.filter((row) => row.endpoint_id === String(e + 1)).length);

describe('claiming due deliveries', () => {
  it('takes one delivery of every endpoint before the second of any endpoint, for backlogs of any size', async () => {
    expect(perEndpoint(await due(10))).toEqual(Array(10).fill(1));
    expect(perEndpoint(await due(20))).toEqual(Array(10).fill(2));
  });

  it('fills the slots of an endpoint and no more', async () => {
    expect(perEndpoint(await due(1_000))).toEqual([5, ...Array(9).fill(3)]);
    expect(await due(1_000)).toEqual([]);
    await db.query('delete from leases where endpoint_id = 1 and slot in (2, 4)');
    const more = await due(1_000);
    expect(more.map(({ endpoint_id: endpointId }) => endpointId)).toEqual(['1', '1']);
  });

  it('skips disabled endpoints', async () => {
    await db.query('update endpoints set disabled_at = now() where id <= 9');
    expect(perEndpoint(await due(1_000))).toEqual([...Array(9).fill(0), 3]);
    await db.query('update endpoints set disabled_at = null');
  });

  it('gives each delivery to one of several concurrent claims', async () => {
    const claims = await Promise.all(Array.from({ length: 4 }, () => due(1_000)));
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const rest = await due(1_000);
    expect(ids.length + rest.length).toBe(5 + 27);
  });

  it('returns a time before which no delivery is due, including leased ones and those of disabled endpoints', async () => {
    const sinceOldest = `select extract(epoch from min(next_attempt_at) - $1::timestamptz)::float8 as seconds from deliveries`;
    const behind = async () => {
      const [row] = await db.query<{ since: string }>(waitingSince);
      return (await db.query<{ seconds: number }>(sinceOldest, [row!.since]))[0]!.seconds;
    };
    expect(await behind()).toBe(0);
    await due(1_000);
    await db.query('update endpoints set disabled_at = now()');
    expect(await behind()).toBe(0);
    await db.query('update endpoints set disabled_at = null');
  });

  it('claims a delivery again after its lease has expired', async () => {
    const first = await due(1_000, 0.05);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await db.query(deleteLostLeases, [[]])).toHaveLength(first.length);
    expect(await due(1_000)).toHaveLength(first.length);
  });
});

it.each([0, 1, 4, 5, 9])(
  'gives no slot twice within seconds (%s after the start of a window)',
  async (start) => {
    const lease = (id: number, second: number) =>
      db.query(
        `insert into leases (tenant_id, endpoint_id, slot, delivery_id, token, lease_until, leased_second)
       values (1, 1, 1, $1, gen_random_uuid(), now(), 1795000000 + $2::integer) on conflict do nothing returning slot`,
        [id, second],
      );
    expect(await lease(1, start)).toHaveLength(1);
    for (let apart = 0; apart <= 5; apart += 1) {
      expect(await lease(2, start + apart)).toHaveLength(0);
      expect(await lease(2, start - apart)).toHaveLength(0);
    }
    expect(await lease(2, start + 10)).toHaveLength(1);
  },
);

it('finds free slots among the valid leases, independent of earlier leases', async () => {
  const plan = await db.transaction(async (tx) => {
    await tx.query('set local enable_seqscan = off'); // of an empty table nothing is cheaper
    return tx.query<{ 'QUERY PLAN': string }>(
      `explain select ${freeSlots} from endpoints e where e.tenant_id = 1 and e.id = 1`,
    );
  });
  const scans = plan.map((row) => row['QUERY PLAN']).filter((line) => line.includes('on leases'));
  expect(scans).toEqual([expect.stringContaining('leases_running')]);
});

it('claims by id only deliveries that are due or were never attempted', async () => {
  const [waiting] = await due(1);
  await db.query('delete from leases');
  const byId = (ids: string[]) => db.query<ClaimedRow>(claimByIds, [randomUUID(), 30, ids, 0, 0.5]);
  expect(await byId([waiting!.id, '5'])).toEqual([expect.objectContaining({ id: waiting!.id, url: null })]);
  expect(await byId([waiting!.id])).toEqual([]);
  await db.query('delete from leases');
  await db.query(`update deliveries set next_attempt_at = now() + interval '1 hour' where id = $1`, [
    waiting!.id,
  ]);
  expect(await byId([waiting!.id])).toEqual([]);
  await db.query(`update deliveries set status = 'pending' where id = $1`, [waiting!.id]);
  expect(await byId([waiting!.id])).toHaveLength(1);
});

it.each([
  ['claims', claimDue.text],
  ['asks since when anything waits', waitingSince.text],
])('%s by the index of what waits and by key only', async (_name, statement) => {
  const values = [`'${randomUUID()}'`, '30', '100', `'2026-01-01'`, '0', '0.5'];
  const text = values.reduce((sql, value, at) => sql.replaceAll(`$${at + 1}`, value), statement);
  const plan = await db.query<{ 'QUERY PLAN': string }>(`explain ${text}`);
  const scans = plan.map((row) => row['QUERY PLAN']).filter((line) => line.includes('on deliveries'));
  expect(scans.length).toBeGreaterThan(0);
  for (const scan of scans) expect(scan).toContain('tenant_id_endpoint_id_next_attempt_at_idx');
});
