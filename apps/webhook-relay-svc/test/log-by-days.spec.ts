import { createDatabase, migrate, type Database } from '@canvass/postgres';
import { silentLogger } from '@canvass/service-kit';
import { testDatabase, type TestDatabase } from '@canvass/testing';
import { migrations } from '../migrations';
import { findDelivery } from '../src/log/log.sql';
import { openDatabase } from '../src/open-database';
import type { LeasedRow } from '../src/pipeline/claim.sql';
import { dueClaim } from './claims';
import { createDay, dailyTables } from '../src/retention/partitions.sql';
import { createDays } from '../src/retention/delete-expired';

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await testDatabase({
    migrations,
    schema: 'webhooks',
    prepare: async (url) => void (await migrate(url, migrations)),
  });
  db = createDatabase({ Url: database.url, PoolMax: 6 });
}, 180_000);
afterEach(async () => {
  await db.close();
  await database.drop();
});

const dayMs = 86_400_000;
const idAt = (ms: number) => String(BigInt(ms - Date.UTC(2026, 0, 1)) << 22n);

it('with forty days: claims and the log read a message and a delivery in the partition of their day only', async () => {
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  for (const table of dailyTables) {
    for (let n = -33; n < 0; n += 1) {
      const [first, next] = [idAt(today + n * dayMs), idAt(today + (n + 1) * dayMs)];
      await db.query(createDay({ table, name: `${table}_past${-n}`, first, next }));
      // It would read every partition in between.
      await db.query(`alter table ${table}_past${-n} set (autovacuum_enabled = false)`);
    }
  }
  await createDays({ db, logger: silentLogger, signal: new AbortController().signal });
  await db.query(
    `insert into endpoints (tenant_id, id, scope, scope_id, url, first_due)
     values (1, 1, 'tenant', 1, 'http://127.0.0.1/', now() - interval '1 hour')`,
  );
  // 33 days, 300 messages each, delivered; of the first and the last a delivery waits.
  await db.query(
    `insert into messages (id, tenant_id, event_name, entity, action, body, occurred_at)
     select $1::bigint + (n::bigint << 22) * 288000, 1, 'submission_completed', 'submission', 'updated', '{}', now()
     from generate_series(0, 9899) n`,
    [idAt(today - 33 * dayMs)],
  );
  await db.query(
    `insert into deliveries (id, tenant_id, message_id, endpoint_id, event_name, entity_id, occurred_at, created_at, status,
                             attempt_count, attempts)
     select id + 1, 1, id, 1, event_name, 1, now(), now(), 'delivered', 1, '{}' from messages`,
  );
  await db.query(
    `insert into waiting (id, tenant_id, message_id, endpoint_id, event_name, entity_id, occurred_at, due_at)
     select id + 2, 1, id, 1, 'submission_completed', 1, now(), now() - interval '1 minute'
     from messages where id in (select min(id) from messages union all select max(id) from messages)`,
  );
  await db.query('analyze');
  const [{ id }] = (await db.query<{ id: string }>('select max(id) as id from deliveries')) as [
    { id: string },
  ];

  const session = openDatabase({ Url: database.url, PoolMax: 1 });
  /**
   * Partitions with rows of which the session read a page of the table or an index. Planning reads those of
   * empty ones.
   */
  const readBy = async (work: () => Promise<unknown>) => {
    for (let n = 0; n < 7; n += 1) await work(); // the first plans read a page of each index
    const pages = async () => {
      await session.query('select pg_stat_force_next_flush()');
      const rows = await session.query<{ name: string; pages: string }>(
        `select relname as name, heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read as pages
         from pg_statio_user_tables where relname ~ '^(messages|deliveries)_past'`,
      );
      return new Map(rows.map((row) => [row.name, row.pages]));
    };
    const before = await pages();
    await work();
    const after = await pages();
    return [...after].filter(([name, number]) => before.get(name) !== number).map(([name]) => name);
  };
  let claimed: LeasedRow[] = [];
  const ofClaim = await readBy(async () => {
    await db.query('update waiting set lease = null, lease_until = null');
    await db.query(`update endpoints set in_flight = 0, first_due = now() - interval '1 hour'`);
    claimed = await session.query(dueClaim());
  });
  expect(claimed.map(({ bytes }) => bytes)).toEqual([2, 2]);
  expect(ofClaim.sort()).toEqual(['messages_past1', 'messages_past33']);
  const ofLog = await readBy(() => session.query(findDelivery({ tenantId: '1', id })));
  expect(ofLog.sort()).toEqual(['deliveries_past1', 'messages_past1']);
  await session.close();
});
