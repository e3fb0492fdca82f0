import { randomUUID } from 'node:crypto';
import { createDatabase, migrate, type Database } from '@canvass/postgres';
import { eventually, testDatabase, type TestDatabase } from '@canvass/testing';
import { migrations } from '../migrations';
import { createRecorder, makeDue, type Claimed } from '../src/delivery';
import { deleteLostLeases } from '../src/delivery/claim.sql';
import { unreadable } from '../src/delivery/attempt';

let database: TestDatabase;
let db: Database;
const token = randomUUID();

beforeAll(async () => {
  database = await testDatabase({
    template: `webhook-relay-svc ${migrations.map(({ name }) => name).join()}`,
    schema: 'webhooks',
    prepare: async (url) => void (await migrate(url, migrations)),
  });
  db = createDatabase({ Url: database.url, PoolMax: 6 });
  await db.query(
    `insert into endpoints (tenant_id, id, scope, scope_id, url) values (1, 1, 'tenant', 1, 'http://127.0.0.1/')`,
  );
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(async () => {
  await db.query('delete from leases');
  await db.query('delete from deliveries');
  await db.query(
    `insert into deliveries (id, tenant_id, message_id, endpoint_id, event_name, entity_id, occurred_at, next_attempt_at)
     select n, 1, 1, 1, 'submission_completed', n, now(), now() from generate_series(1, 2) n`,
  );
  await db.query(
    `insert into leases (tenant_id, endpoint_id, slot, delivery_id, token, lease_until)
     select 1, 1, n, n, $1, now() + interval '1 minute' from generate_series(1, 2) n`,
    [token],
  );
});

const inFlight = (id: string) =>
  ({ id, tenantId: '1', endpointId: '1', token, attempts: 0, scheduleStep: 0 }) as Claimed;

const waitForBlocked = () =>
  eventually(async () =>
    expect(
      await db.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      ),
    ).toHaveLength(1),
  );

it('recording a result releases no lease while it waits for a delivery that a claim has locked', async () => {
  // A claim that looked at the leases before these were there: it holds a delivery and asks for a slot. Were
  // the end of that slot's lease under way already, each would wait for the other.
  let recorded: Promise<unknown> | undefined;
  await db.transaction(async (claim) => {
    await claim.query('select from deliveries where id = 2 for no key update skip locked');
    const recorder = createRecorder(db, [60]);
    recorded ??= Promise.all(['1', '2'].map((id) => recorder.attempt(inFlight(id), unreadable)));
    await waitForBlocked();
    expect(await db.query('select from leases where delivery_id = 1 for update nowait')).toHaveLength(1);
  });
  await recorded;
  expect(await db.query(`select from deliveries where status = 'failed'`)).toHaveLength(2);
  expect(await db.query('select from leases')).toHaveLength(0);
});

it('expired leases are released without waiting for a concurrent result', async () => {
  await db.query(`update leases set lease_until = now() - interval '1 second'`);
  await db.transaction(async (tx) => {
    await tx.query('delete from leases where delivery_id = 1');
    expect(await db.query(deleteLostLeases, [[]])).toHaveLength(1);
  });
});

it('deliveries of jobs that could not start are locked in id order', async () => {
  // Their rows lie in the other order, too.
  for (const id of [2, 1])
    await db.query(`update deliveries set next_attempt_at = now() + interval '1 minute' where id = $1`, [id]);
  let made: Promise<unknown> | undefined;
  await db.transaction(async (record) => {
    await record.query('select from deliveries where id = 1 for no key update');
    made ??= db.query(makeDue, [['2', '1']]);
    await waitForBlocked();
    expect(await record.query('select from deliveries where id = 2 for no key update nowait')).toHaveLength(
      1,
    );
  });
  await made;
  expect(await db.query('select from deliveries where next_attempt_at <= now()')).toHaveLength(2);
});
