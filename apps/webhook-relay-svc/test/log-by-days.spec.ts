import { randomUUID } from 'node:crypto';
import { createDatabase, migrate, type Database } from '@canvass/postgres';
import { silentLogger } from '@canvass/service-kit';
import { eventually, testDatabase, type TestDatabase } from '@canvass/testing';
import { migrations } from '../migrations';
import { claimByIds, claimDue, type ClaimedRow } from '../src/delivery/claim.sql';
import { recordAttempts } from '../src/delivery/record.sql';
import { findAttempts, findDelivery } from '../src/log/log.sql';
import { createDay, dailyTables } from '../src/retention/partitions.sql';
import { makeDays } from '../src/retention/remove-old';

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await testDatabase({
    template: `webhook-relay-svc up to ${before}`,
    schema: 'webhooks',
    prepare: async (url) => void (await migrate(url, migrations, { to: before })),
  });
  db = createDatabase({ Url: database.url, PoolMax: 6 });
}, 180_000);
afterEach(async () => {
  await db.close();
  await database.drop();
});

const name = '20261121T0630_log_by_days';
const before = migrations[migrations.findIndex((each) => each.name === name) - 1]!.name;
const job = () => ({ db, logger: silentLogger, signal: new AbortController().signal });

/** As builds before write it: through the parents, whatever lies below. */
const write = async () => {
  const [row] = await db.query<{ id: string }>('select next_id() as id');
  await db.query(
    `insert into messages (id, tenant_id, event_name, entity, action, body, occurred_at)
     values ($1, 1, 'submission_completed', 'submission', 'updated', '{}', now()) on conflict (id) do nothing`,
    [row!.id],
  );
  await db.query(
    `insert into attempts (tenant_id, delivery_id, number, started_at, outcome, url, total_ms, request_headers, response_body,
                           response_truncated)
     values (1, $1, 1, now(), 'success', 'http://127.0.0.1/', 1, '{}', '', false)`,
    [row!.id],
  );
};

const count = async (table: string) =>
  Number((await db.query<{ count: string }>(`select count(*) from ${table}`))[0]!.count);

describe('the migration to daily partitions', () => {
  it('starts beside writers, loses no row, and leaves the default partition empty', async () => {
    let written = 0;
    let stopped = false;
    const writer = (async () => {
      while (!stopped) {
        await write();
        written += 1;
      }
    })();
    await eventually(() => expect(written).toBeGreaterThan(10));
    expect(await migrate(database.url, migrations, { to: name })).toEqual([name]);
    const atMigration = written;
    await makeDays(job());
    await eventually(() => expect(written).toBeGreaterThan(atMigration + 10));
    stopped = true;
    await writer;
    for (const table of dailyTables) {
      expect(await count(table)).toBe(written);
      expect(await count(`${table}_older`)).toBe(written);
      expect(await count(`${table}_default`)).toBe(0);
    }
  });

  it('resumes after an interruption, and is reverted and repeated with its rows', async () => {
    await write();
    await db.query('alter table messages_default add constraint is_older check (id < 9) not valid');
    await migrate(database.url, migrations, { to: name });
    await makeDays(job());
    await write();
    expect(await migrate(database.url, migrations, { direction: 'down', to: before })).toEqual([name]);
    await write();
    expect(await migrate(database.url, migrations, { to: name })).toEqual([name]);
    for (const table of dailyTables) expect(await count(table)).toBe(3);
    const checks = await db.query(
      `select conname from pg_constraint where conname = 'is_older' and connamespace = 'webhooks'::regnamespace`,
    );
    expect(checks).toEqual([]);
  });
});

const dayMs = 86_400_000;
const idAt = (ms: number) => String(BigInt(ms - Date.UTC(2026, 0, 1)) << 22n);

it('with forty partitions, claims, results, the log and deduplication use indexes, and a message is read from one partition', async () => {
  await migrate(database.url, migrations);
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  for (const table of dailyTables) {
    await db.query(`drop table ${table}_older`);
    for (let n = -33; n < 0; n += 1) {
      const [first, next] = [idAt(today + n * dayMs), idAt(today + (n + 1) * dayMs)];
      await db.query(createDay(table, { name: `${table}_past${-n}`, first, next }));
    }
  }
  await makeDays(job());
  await db.query(
    `insert into endpoints (tenant_id, id, scope, scope_id, url) values (1, 1, 'tenant', 1, 'http://127.0.0.1/')`,
  );
  // 41 days, 300 messages each, all delivered but the last thousand.
  await db.query(
    `insert into messages (id, tenant_id, event_name, entity, action, body, occurred_at)
     select $1::bigint + (n::bigint << 22) * 288000, 1, 'submission_completed', 'submission', 'updated', '{}', now()
     from generate_series(0, 9900) n`,
    [idAt(today - 33 * dayMs)],
  );
  await db.query(
    `insert into deliveries (id, tenant_id, message_id, endpoint_id, event_name, entity_id, occurred_at, status, next_attempt_at)
     select id + 1, 1, id, 1, event_name, 1, now(), case when n > 1000 then 'delivered' else 'pending' end,
            case when n > 1000 then null else now() - interval '1 minute' end
     from (select *, row_number() over (order by id desc) as n from messages) m`,
  );
  await db.query(
    `insert into attempts (id, tenant_id, delivery_id, number, started_at, outcome, url, total_ms, request_headers, response_body,
                           response_truncated)
     select id + 1, 1, id, 1, now(), 'success', 'http://127.0.0.1/', 1, '{}', '', false from deliveries`,
  );
  await db.query('analyze deliveries');
  await db.query('analyze endpoints');
  for (let n = 1; n <= 33; n += 1)
    for (const table of dailyTables) await db.query(`analyze ${table}_past${n}`);

  const newest = (await db.query<{ id: string }>('select max(id) as id from deliveries'))[0]!.id;
  const token = `'${randomUUID()}'`;
  const statements: Record<string, [sql: string, values: string[]]> = {
    claimDue: [claimDue.text, [token, '30', '100', `'2026-01-01'`, '0.1', '0.5']],
    claimByIds: [claimByIds.text, [token, '30', `'{${newest}}'`, '0.1', '0.5']],
    findDelivery: [findDelivery.text, ['1', newest]],
    findAttempts: [findAttempts.text, ['1', newest]],
  };
  for (const [which, [text, values]] of Object.entries(statements)) {
    const filled = values.reduceRight((sql, value, at) => sql.replaceAll(`$${at + 1}`, value), text);
    const plan = await db.query<{ 'QUERY PLAN': string }>(`explain ${filled}`);
    const scans = plan
      .map((row) => row['QUERY PLAN'])
      .filter((line) => /on (messages|attempts|deliveries)/.test(line));
    expect({ which, scans: scans.length > 0 }).toEqual({ which, scans: true });
    for (const scan of scans)
      expect({ which, scan }).toEqual({ which, scan: expect.stringContaining('Index') });
  }

  // What is executed, in a claim of five from two days, is a look at five messages in those days' partitions.
  const [id, old] = [newest, (await db.query<{ id: string }>('select min(id) as id from deliveries'))[0]!.id];
  await db.query(`update deliveries set status = 'pending', next_attempt_at = now() where id = $1`, [old]);
  const claimed = await db.query<ClaimedRow>(claimByIds, [randomUUID(), 30, [id, old], 0, 0.5]);
  expect(claimed.map((row) => row.id).sort()).toEqual([old, id].sort());
  const explained = await db.transaction(async (tx) => {
    await tx.query('delete from leases');
    return tx.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, costs off) ${claimByIds.text
        .replaceAll('$1', token)
        .replaceAll('$2', '30')
        .replaceAll('$3', `'{${id},${old}}'`)
        .replaceAll('$4', '0')
        .replaceAll('$5', '0.5')}`,
    );
  });
  const looked = explained
    .map((row) => row['QUERY PLAN'])
    .filter((line) => /on messages/.test(line) && !line.includes('never executed'));
  expect(looked.length).toBeLessThanOrEqual(2);
  expect(recordAttempts.text).not.toMatch(/(from|join|update) (messages|attempts)\b/);
});
