import { randomUUID } from 'node:crypto';
import { createDatabase, migrate, type Database } from '@canvass/postgres';
import { eventually, testDatabase, type TestDatabase } from '@canvass/testing';
import { migrations } from '../migrations';
import { createRecorder } from '../src/pipeline';
import { unreadable } from '../src/pipeline/attempt';
import { releaseLostLeases } from '../src/pipeline/claim.sql';
import { claimOf, dueClaim } from './claims';
import type { Claimed } from '../src/pipeline/leases';

let database: TestDatabase;
let db: Database;
const lease = randomUUID();

beforeAll(async () => {
  database = await testDatabase({
    migrations,
    schema: 'webhooks',
    prepare: async (url) => void (await migrate(url, migrations)),
  });
  db = createDatabase({ Url: database.url, PoolMax: 6 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
/** Two endpoints with a delivery in flight each. */
beforeEach(async () => {
  await db.query('delete from waiting');
  await db.query('delete from deliveries');
  await db.query('delete from endpoints');
  await db.query(
    `insert into endpoints (tenant_id, id, scope, scope_id, url, in_flight)
     select 1, n, 'tenant', 1, 'http://127.0.0.1/', 1 from generate_series(1, 2) n`,
  );
  await db.query(
    `insert into waiting (id, tenant_id, message_id, endpoint_id, event_name, entity_id, occurred_at, due_at, lease, lease_until)
     select n, 1, 1, n, 'submission_completed', n, now(), now(), $1, now() + interval '1 minute'
     from generate_series(1, 2) n`,
    [lease],
  );
});

const inFlight = (id: string) =>
  ({ id, tenantId: '1', endpointId: id, lease, attempts: 0, scheduleStep: 0 }) as Claimed;

const lockIsAwaited = () =>
  eventually(async () =>
    expect(
      await db.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      ),
    ).toHaveLength(1),
  );

const lockEndpoint = (id: number) =>
  `select from endpoints where tenant_id = 1 and id = ${id} for no key update`;

it('results lock their endpoints in order, and nothing else while they wait for one', async () => {
  const recorder = createRecorder(db, [60]);
  let recorded: Promise<unknown> | undefined;
  await db.transaction(async (other) => {
    await other.query(lockEndpoint(1));
    recorded ??= Promise.all(['2', '1'].map((id) => recorder.attempt(inFlight(id), unreadable)));
    await lockIsAwaited();
    expect(await db.query(`${lockEndpoint(2)} nowait`)).toHaveLength(1);
    expect(await db.query('select from waiting for update nowait')).toHaveLength(2);
  });
  await recorded;
  expect(await db.query(`select from deliveries where status = 'failed'`)).toHaveLength(2);
  expect(await db.query('select from waiting where lease is not null')).toHaveLength(0);
  expect(await db.query('select in_flight from endpoints')).toEqual([{ in_flight: 0 }, { in_flight: 0 }]);
});

it('a result that waited for the sweep that released its lease counts for nothing', async () => {
  const recorder = createRecorder(db, [60]);
  let recorded: Promise<{ endToEndSeconds: number | null }> | undefined;
  await db.transaction(async (sweep) => {
    await sweep.query(lockEndpoint(1));
    recorded = recorder.attempt(inFlight('1'), unreadable);
    await lockIsAwaited();
    await sweep.query('update waiting set lease = null, lease_until = null where id = 1');
    await sweep.query('update endpoints set in_flight = 0, first_due = now() where id = 1');
  });
  expect((await recorded)!.endToEndSeconds).toBeNull();
  expect(await db.query('select in_flight from endpoints where id = 1')).toEqual([{ in_flight: 0 }]);
});

it('expired leases are released once, beside a result that ends some of them', async () => {
  await db.query(`update waiting set lease_until = now() - interval '1 second'`);
  let released: Promise<unknown[]> | undefined;
  await db.transaction(async (result) => {
    await result.query(lockEndpoint(1));
    released = db.query(releaseLostLeases({ floor: '-infinity', leases: [] }));
    await lockIsAwaited();
    await result.query('delete from waiting where id = 1');
    await result.query('update endpoints set in_flight = 0 where id = 1');
  });
  expect(await released).toEqual([{ id: '2' }]);
  expect(await db.query('select in_flight from endpoints')).toEqual([{ in_flight: 0 }, { in_flight: 0 }]);
});

it('a sweep does not wait for an endpoint that another statement has locked', async () => {
  await db.query('update waiting set lease = null, lease_until = null');
  await db.query(
    'update endpoints set in_flight = 0, first_due = due_at from waiting w where w.endpoint_id = endpoints.id',
  );
  await db.transaction(async (other) => {
    await other.query(lockEndpoint(1));
    const rows = await db.query(dueClaim());
    expect(rows.map(({ id }) => id)).toEqual(['2']);
  });
});

it('jobs lock their endpoints in order, whatever the order of the jobs', async () => {
  await db.query('update waiting set lease = null, lease_until = null');
  await db.query(
    'update endpoints set in_flight = 0, first_due = due_at from waiting w where w.endpoint_id = endpoints.id',
  );
  let claimed: Promise<unknown[]> | undefined;
  await db.transaction(async (other) => {
    await other.query(lockEndpoint(1));
    claimed = db.query(claimOf(['1', '2', '2'], ['1', '1', '1']));
    await lockIsAwaited();
    expect(await db.query(`${lockEndpoint(2)} nowait`)).toHaveLength(1);
  });
  expect(await claimed).toHaveLength(2);
});
