import { createDatabase, migrate, type Database } from '@canvass/postgres';
import { eventually, testDatabase, type TestDatabase } from '@canvass/testing';
import { migrations } from '../migrations';
import { findFloors, releaseLostLeases, type LeasedRow } from '../src/pipeline/claim.sql';
import { claimOf, dueClaim } from './claims';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await testDatabase({
    migrations,
    schema: 'webhooks',
    prepare: async (url) => void (await migrate(url, migrations)),
  });
  db = createDatabase({ Url: database.url, PoolMax: 4, StatementTimeoutMs: 120_000 });
  // Ten endpoints: the first has 20,000 due deliveries, the others three each. A second tenant has one of
  // each.
  await db.query(
    `insert into endpoints (tenant_id, id, scope, scope_id, url)
     select t, e, 'tenant', t, 'http://127.0.0.1/' from generate_series(1, 10) e, generate_series(1, 2) t`,
  );
  await db.query(
    `insert into messages (tenant_id, id, event_name, entity, action, body, occurred_at)
     select t, 1, 'submission_completed', 'submission', 'updated', '{}', now() from generate_series(1, 2) t`,
  );
  const made = `insert into waiting (tenant_id, message_id, endpoint_id, event_name, entity_id, occurred_at, due_at)`;
  await db.query(
    `${made} select 1, 1, 1, 'submission_completed', n, now(), now() - interval '1 hour'
     from generate_series(1, 20000) n`,
  );
  await db.query(
    `${made} select 1, 1, 2 + n % 9, 'submission_completed', n, now(), now() - interval '1 minute'
     from generate_series(1, 27) n`,
  );
  await db.query('analyze');
}, 180_000);
afterAll(async () => {
  await db.close();
  await database.drop();
});
/** Resets everything to the state before the first claim. */
beforeEach(async () => {
  await db.query('update waiting set lease = null, lease_until = null where lease is not null');
  await db.query(
    `update endpoints e set in_flight = 0, disabled_at = null, first_due = null, slots = 5, resume_at = null,
       removed_at = null`,
  );
  await db.query(`update endpoints e set first_due = (select min(due_at) from waiting w
                                                      where w.tenant_id = e.tenant_id and w.endpoint_id = e.id)`);
});

interface ClaimOptions {
  seconds?: number;
  share?: number;
  used?: [tenant: string, inFlight: number][];
  cursor?: string;
}

const due = async (
  room: number,
  { seconds = 30, share = 10_000, used = [], cursor = '0' }: ClaimOptions = {},
) =>
  db.query(
    dueClaim({
      seconds,
      room,
      share,
      cursor,
      tenants: used.map(([tenant]) => tenant),
      used: used.map(([, inFlight]) => inFlight),
    }),
  );
const perEndpoint = (rows: LeasedRow[]) =>
  Array.from({ length: 10 }, (_, e) => rows.filter((row) => row.endpointId === String(e + 1)).length);

/** A second tenant with so many due deliveries for each of its endpoints. */
const secondTenant = async (each: number) => {
  await db.query(
    `insert into waiting (tenant_id, message_id, endpoint_id, event_name, entity_id, occurred_at, due_at)
     select 2, 1, e, 'submission_completed', e, now(), now() - interval '1 minute'
     from generate_series(1, 10) e, generate_series(1, $1::integer)`,
    [each],
  );
  await db.query(`update endpoints set first_due = now() - interval '1 hour' where tenant_id = 2`);
};
afterEach(() => db.query('delete from waiting where tenant_id = 2'));

describe('claiming what is due', () => {
  it('takes one of every endpoint before the second of any, however much one has waiting', async () => {
    expect(perEndpoint(await due(10))).toEqual(Array(10).fill(1));
    expect(perEndpoint(await due(10))).toEqual(Array(10).fill(1));
  });

  it('fills the slots of an endpoint and no more', async () => {
    expect(perEndpoint(await due(1_000))).toEqual([5, ...Array(9).fill(3)]);
    expect(await due(1_000)).toEqual([]);
    await db.query(
      `update waiting set lease = null, lease_until = null
       where id in (select id from waiting where endpoint_id = 1 and lease is not null limit 2)`,
    );
    await db.query('update endpoints set in_flight = in_flight - 2 where tenant_id = 1 and id = 1');
    const more = await due(1_000);
    expect(more.map(({ endpointId: endpointId }) => endpointId)).toEqual(['1', '1']);
  });

  it('leaves disabled, removed and paused endpoints alone', async () => {
    await db.query('update endpoints set disabled_at = now() where id <= 3');
    await db.query('update endpoints set removed_at = now() where id between 4 and 6');
    await db.query(`update endpoints set resume_at = now() + interval '1 hour' where id between 7 and 9`);
    expect(perEndpoint(await due(1_000))).toEqual([...Array(9).fill(0), 3]);
    await db.query(`update endpoints set resume_at = null, disabled_at = null, removed_at = null`);
    expect(perEndpoint(await due(1_000))).toEqual([5, ...Array(8).fill(3), 0]);
  });

  it('gives each delivery to one of several claimers, and counts them', async () => {
    const claims = await Promise.all(Array.from({ length: 4 }, () => due(1_000)));
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const rest = await due(1_000);
    expect(ids.length + rest.length).toBe(5 + 27);
    expect(await db.query('select sum(in_flight)::integer as n from endpoints')).toEqual([{ n: 5 + 27 }]);
  });

  it('gives a tenant its share and no more, counting what it has in flight', async () => {
    await secondTenant(5);
    const ofTenant = (rows: LeasedRow[], tenant: string) =>
      rows.filter((row) => row.tenantId === tenant).length;
    const rows = await due(20, { share: 8 });
    expect([ofTenant(rows, '1'), ofTenant(rows, '2')]).toEqual([8, 8]);
    const more = await due(20, { share: 8, used: [['1', 8], ['2', 5]] }); // prettier-ignore
    expect([ofTenant(more, '1'), ofTenant(more, '2')]).toEqual([0, 3]);
  });

  it('starts after the tenant that was last, so that none is always first', async () => {
    await secondTenant(1);
    expect((await due(1, { cursor: '0' })).map((row) => row.tenantId)).toEqual(['1']);
    expect((await due(1, { cursor: '1' })).map((row) => row.tenantId)).toEqual(['2']);
    expect((await due(1, { cursor: '2' })).map((row) => row.tenantId)).toEqual(['1']);
  });

  it('finds what was committed while it waited for the lock of an endpoint', async () => {
    await db.query('update endpoints set first_due = null');
    let claimed: Promise<LeasedRow[]> | undefined;
    await db.transaction(async (fanOut) => {
      await fanOut.query('select from endpoints where tenant_id = 2 and id = 7 for no key update');
      claimed = db.query(claimOf(['2', '7', '77']));
      await eventually(async () =>
        expect(
          await db.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          ),
        ).toHaveLength(1),
      );
      await fanOut.query(
        `insert into waiting (tenant_id, id, message_id, endpoint_id, event_name, entity_id, occurred_at, due_at)
         values (2, 77, 1, 7, 'submission_completed', 1, now(), now())`,
      );
    });
    expect((await claimed)!.map(({ id }) => id)).toEqual(['77']);
  });

  it('knows times before which its indexes have nothing', async () => {
    const [floors] = await db.query(findFloors());
    const [ready] = await db.query<{ behind: boolean }>(
      `select bool_and(ready_at >= $1::timestamptz) as behind from endpoints where is_ready`,
      [floors!.ready],
    );
    expect(ready).toEqual({ behind: true });
  });

  it('gives it again when the lease has expired', async () => {
    const first = await due(1_000, { seconds: 0.05 });
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await db.query(releaseLostLeases({ floor: '-infinity', leases: [] }))).toHaveLength(first.length);
    expect(await due(1_000)).toHaveLength(first.length);
  });
});

it('claims by id what is due or was never tried, and nothing else', async () => {
  const [waiting] = await db.query<{ id: string }>(
    `select id from waiting where tenant_id = 1 and endpoint_id = 2 limit 1`,
  );
  const byId = (ids: string[]) => db.query(claimOf(...ids.map((id) => ['1', '2', id] as const)));
  const release = () =>
    db.query(`with r as (update waiting set lease = null, lease_until = null where lease is not null)
              update endpoints set in_flight = 0 where tenant_id = 1 and id = 2`);
  expect(await byId([waiting!.id, '5'])).toEqual([expect.objectContaining({ id: waiting!.id, url: null })]);
  expect(await byId([waiting!.id])).toEqual([]);
  await release();
  await db.query(
    `update waiting set due_at = now() + interval '1 hour', schedule_step = 1 where tenant_id = 1 and id = $1`,
    [waiting!.id],
  );
  expect(await byId([waiting!.id])).toEqual([]);
  await db.query(`update waiting set schedule_step = 0 where tenant_id = 1 and id = $1`, [waiting!.id]);
  expect(await byId([waiting!.id])).toHaveLength(1);
});

it('makes due what a job could not start', async () => {
  await db.query('update endpoints set in_flight = 5 where tenant_id = 1 and id = 3');
  const [waiting] = await db.query<{ id: string }>(
    `update waiting set due_at = now() + interval '1 hour' where tenant_id = 1
       and id = (select id from waiting where tenant_id = 1 and endpoint_id = 3 limit 1) returning id`,
  );
  expect(await db.query(claimOf(['1', '3', waiting!.id]))).toEqual([]);
  expect(
    await db.query(`select due_at <= clock_timestamp() as due from waiting where tenant_id = 1 and id = $1`, [
      waiting!.id,
    ]),
  ).toEqual([{ due: true }]);
});
