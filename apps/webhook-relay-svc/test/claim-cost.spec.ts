import { randomUUID } from 'node:crypto';
import { createDatabase, migrate, type Database } from '@canvass/postgres';
import { testDatabase, type TestDatabase } from '@canvass/testing';
import { migrations } from '../migrations';
import { openDatabase } from '../src/open-database';
import { cancelRemoved, type LeasedRow } from '../src/pipeline/claim.sql';
import { recordResults, type ResultColumns } from '../src/pipeline/record.sql';
import { dueClaim } from './claims';
import { pagesOf } from './pages';

let database: TestDatabase;
let admin: Database;
beforeAll(async () => {
  database = await testDatabase({
    migrations,
    schema: 'webhooks',
    prepare: async (url) => void (await migrate(url, migrations)),
  });
  admin = createDatabase({ Url: database.url, PoolMax: 1, StatementTimeoutMs: 120_000 });
  await admin.query(
    `insert into messages (tenant_id, id, event_name, entity, action, body, occurred_at)
     select t, 1, 'submission_completed', 'submission', 'updated', '{}', now() from generate_series(1, 100) t`,
  );
});
afterAll(async () => {
  await admin.close();
  await database.drop();
});

/** Endpoints `from` to `to` of 100 tenants, with two deliveries each at that time. */
async function addEndpoints(from: number, to: number, due: string): Promise<void> {
  await admin.query(
    `insert into endpoints (tenant_id, id, scope, scope_id, url, first_due)
     select 1 + n % 100, n, 'tenant', 1 + n % 100, 'http://127.0.0.1/', ${due} from generate_series($1::integer, $2::integer) n`,
    [from, to],
  );
  await admin.query(
    `insert into waiting (tenant_id, message_id, endpoint_id, event_name, entity_id, occurred_at, due_at)
     select 1 + n % 100, 1, n, 'submission_completed', 1, now(), ${due}
     from generate_series($1::integer, $2::integer) n, generate_series(1, 2)`,
    [from, to],
  );
}

it.each([
  ['without statistics', ''],
  ['with the statistics of a moment when nothing waited', 'delete from waiting; analyze'],
])(
  'a claim reads the same pages however many endpoints are due and however many deliveries wait, %s',
  async (_, gatherStatistics) => {
    // Plans are made now, and kept.
    await admin.query('truncate endpoints, waiting cascade');
    await admin.query('alter table endpoints set (autovacuum_enabled = false)');
    await admin.query('alter table waiting set (autovacuum_enabled = false)');
    if (gatherStatistics !== '') await addEndpoints(1, 1_000, `now() + interval '1 hour'`);
    await admin.query(gatherStatistics);
    const db = openDatabase({ Url: database.url, PoolMax: 1 });
    const claim = (): Promise<LeasedRow[]> => db.query(dueClaim());
    const pages = async () => {
      let claimed: LeasedRow[] = [];
      const read = await pagesOf(db, '^(endpoints|waiting|messages)', async () => (claimed = await claim()));
      expect(claimed).toHaveLength(100);
      return read;
    };
    for (let n = 0; n < 8; n += 1) expect(await claim()).toEqual([]);
    await addEndpoints(1_001, 2_000, `now() - interval '1 minute'`);
    await pages();
    const few = await pages();
    await addEndpoints(10_000, 30_000, `now() + interval '1 hour'`);
    await addEndpoints(100_000, 120_000, `now() - interval '1 minute'`);
    await pages();
    const many = await pages();
    expect(many).toBeLessThan(1.5 * few);
    await db.close();
  },
  180_000,
);

it('a claim changes no more endpoints than their tenant may use', async () => {
  await admin.query('truncate endpoints, waiting cascade');
  await addEndpoints(1, 10_000, `now() - interval '1 minute'`);
  await admin.query('delete from waiting where tenant_id <> 1');
  await admin.query(
    `update endpoints e set first_due = (select min(due_at) from waiting w
                                         where w.tenant_id = e.tenant_id and w.endpoint_id = e.id)`,
  );
  const [before] = await admin.query<{ at: Date }>('select clock_timestamp() as at');
  const db = openDatabase({ Url: database.url, PoolMax: 1 });
  const claimed = await db.query(dueClaim({ share: 8, tenants: ['1'], used: [3] }));
  await db.close();
  expect(claimed).toHaveLength(5);
  const moved = await admin.query('select from endpoints where is_ready and ready_at >= $1', [before!.at]);
  expect(moved).toHaveLength(5);
});

it('a step of a removal reads the same pages however many deliveries wait', async () => {
  const rows = 100;
  await admin.query('truncate endpoints, waiting cascade');
  await addEndpoints(1, 1_000, `now() + interval '1 hour'`);
  await admin.query('delete from waiting; analyze');
  const db = openDatabase({ Url: database.url, PoolMax: 1 });
  const pages = () =>
    pagesOf(db, '^(endpoints|waiting)', async () =>
      expect(await db.query(cancelRemoved({ rows }))).toEqual([{ cancelled: rows }]),
    );
  await addEndpoints(2_001, 2_100, 'now()');
  await admin.query('update waiting set endpoint_id = 2001, tenant_id = 2');
  await admin.query('update endpoints set removed_at = now() where id = 2001');
  const few = await pages();
  await addEndpoints(10_001, 30_000, 'now()');
  expect(await pages()).toBeLessThan(2 * few);
  await db.close();
});

it('results of failed attempts read the same pages however many deliveries wait', async () => {
  await admin.query('truncate endpoints, waiting cascade');
  await addEndpoints(1, 1_000, `now() + interval '1 hour'`);
  await admin.query('delete from waiting; analyze');
  const db = openDatabase({ Url: database.url, PoolMax: 1 });
  const pages = async () => {
    const lease = randomUUID();
    const rows = await db.query(dueClaim({ lease }));
    return pagesOf(db, '^(endpoints|waiting)', async () =>
      expect(await db.query(recordResults(failed(rows, lease)))).toHaveLength(100),
    );
  };
  await addEndpoints(2_001, 4_000, `now() - interval '1 minute'`);
  await pages();
  const few = await pages();
  await addEndpoints(10_001, 30_000, `now() - interval '1 minute'`);
  expect(await pages()).toBeLessThan(2 * few);
  await db.close();
});

const failed = (rows: readonly LeasedRow[], lease: string): ResultColumns => ({
  tenants: rows.map((row) => row.tenantId),
  deliveries: rows.map((row) => row.id),
  leases: rows.map(() => lease),
  endpoints: rows.map((row) => row.endpointId),
  statuses: rows.map(() => 'failed'),
  outcomes: rows.map(() => 'http_5xx'),
  statusCodes: rows.map(() => 500),
  retriesInMs: rows.map(() => 3_600_000),
  scheduleSteps: rows.map(() => 1),
  traceparents: rows.map(() => null),
  dnsMs: rows.map(() => null),
  connectMs: rows.map(() => null),
  tlsMs: rows.map(() => null),
  firstByteMs: rows.map(() => 1),
  totalMs: rows.map(() => 1),
  waitedMs: rows.map(() => 0),
  attempts: rows.map(() => '{"number":1}'),
});
