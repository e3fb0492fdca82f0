import { createSecretBox } from '@canvass/auth';
import { createDatabase, migrate, type Database } from '@canvass/postgres';
import { silentLogger } from '@canvass/service-kit';
import { behindLock, eventually, testDatabase, type TestDatabase } from '@canvass/testing';
import { migrations } from '../migrations';
import { createSettings } from '../src/endpoints';
import { runRetention } from '../src/retention';
import { keepVersion } from '../src/endpoints/settings.sql';
import { forgetSettings } from '../src/retention/forget.sql';
import { createDay, dailyTables } from '../src/retention/partitions.sql';
import { makeDays, removeOld } from '../src/retention/remove-old';
import { NotMyTurn, turn, type Turn } from '../src/retention/turn';

let database: TestDatabase;
let db: Database;
let job: Turn;
beforeEach(async () => {
  database = await testDatabase({
    template: `webhook-relay-svc ${migrations.map(({ name }) => name).join()}`,
    schema: 'webhooks',
    prepare: async (url) => void (await migrate(url, migrations)),
  });
  db = createDatabase({ Url: database.url, PoolMax: 6 });
  job = { db, logger: silentLogger, signal: new AbortController().signal };
  await db.query(
    `insert into endpoints (tenant_id, id, scope, scope_id, url) values (1, 1, 'tenant', 1, 'http://127.0.0.1/')`,
  );
}, 180_000);
afterEach(async () => {
  await db.close();
  await database.drop();
});

const dayMs = 86_400_000;
const today = Math.floor(Date.now() / dayMs) * dayMs;
const idAt = (ms: number) => String(BigInt(ms - Date.UTC(2026, 0, 1)) << 22n);
const nameOf = (table: string, ms: number) =>
  `${table}_${new Date(ms).toISOString().slice(0, 10).replaceAll('-', '')}`;
const kept = 30 * 24 * 3_600;

/** A relay that has run for 40 days: there is a partition for each of them. */
async function fortyDays(): Promise<void> {
  for (const table of dailyTables) {
    await db.query(`drop table ${table}_older`);
    for (let day = today - 40 * dayMs; day < today; day += dayMs)
      await db.query(
        createDay(table, { name: nameOf(table, day), first: idAt(day), next: idAt(day + dayMs) }),
      );
  }
  await makeDays(job);
}

interface Made {
  daysAgo: number;
  status?: 'delivered' | 'dead' | 'pending';
  /** When the message was stored, if not on that day. */
  storedDaysAgo?: number;
}

let made = 0;
/** A message with a delivery and an attempt, as they were made some days ago, at noon; the delivery's id. */
async function log({ daysAgo, status = 'delivered', storedDaysAgo = daysAgo }: Made): Promise<string> {
  const at = (days: number) => idAt(today + dayMs / 2 - days * dayMs + (made += 1));
  const [message, delivery] = [at(daysAgo), at(storedDaysAgo)];
  const stored = new Date(today + dayMs / 2 - storedDaysAgo * dayMs);
  await db.query(
    `insert into messages (id, tenant_id, event_name, entity, action, body, occurred_at, created_at)
     values ($1, 1, 'submission_completed', 'submission', 'updated', '{}', $2, $2)`,
    [message, stored],
  );
  await db.query(
    `insert into deliveries (id, tenant_id, message_id, endpoint_id, event_name, entity_id, occurred_at, status, next_attempt_at)
     values ($1, 1, $2, 1, 'submission_completed', 1, $3, $4, $5)`,
    [delivery, message, stored, status, status === 'pending' ? stored : null],
  );
  await db.query(
    `insert into attempts (id, tenant_id, delivery_id, number, started_at, outcome, url, total_ms, request_headers, response_body,
                           response_truncated)
     values ($1, 1, $1, 1, $2, 'success', 'http://127.0.0.1/', 1, '{}', '', false)`,
    [delivery, stored],
  );
  return delivery;
}

const partitionsOf = async (table: string) =>
  (
    await db.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = to_regclass($1) order by 1`,
      [table],
    )
  ).map(({ name }) => name);

/** Ids of the deliveries whose rows, messages and attempts are there. */
async function found() {
  const ids = async (sql: string) =>
    (await db.query<{ id: string }>(`${sql} order by 1`)).map(({ id }) => id);
  return {
    deliveries: await ids('select id from deliveries'),
    messages: await ids('select d.id from deliveries d join messages m on m.id = d.message_id'),
    attempts: await ids('select delivery_id as id from attempts'),
  };
}

/** Sessions that wait for a lock. */
const waiting = async () =>
  (
    await db.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length;

describe('the delivery log', () => {
  it('has a partition for today and each of the next seven days, and creates each once', async () => {
    await fortyDays();
    for (const table of dailyTables) {
      const names = await partitionsOf(table);
      for (let n = -40; n <= 7; n += 1) expect(names).toContain(nameOf(table, today + n * dayMs));
      expect(names).toContain(`${table}_default`);
    }
    expect(await makeDays(job)).toEqual([]);
  });

  it('drops expired partitions with final deliveries, and keeps waiting deliveries with their message', async () => {
    await fortyDays();
    await log({ daysAgo: 35 });
    await log({ daysAgo: 33, status: 'dead' });
    const waiting = await log({ daysAgo: 34, status: 'pending' });
    await log({ daysAgo: 34 });
    const late = await log({ daysAgo: 36, storedDaysAgo: 2 });
    const dead = await log({ daysAgo: 29, status: 'dead' });
    const fresh = await log({ daysAgo: 0, status: 'pending' });

    const removed = await removeOld(job, kept);
    const messageDays = await partitionsOf('messages');
    const held = [36, 34].map((n) => nameOf('messages', today - n * dayMs));
    expect(removed).toMatchObject({ deliveries: 3, messages: 1, held });
    for (let n = 32; n <= 40; n += 1) {
      const day = today - n * dayMs;
      expect(await partitionsOf('attempts')).not.toContain(nameOf('attempts', day));
      expect(messageDays.includes(nameOf('messages', day))).toBe(n === 34 || n === 36);
    }
    const all = [waiting, dead, late, fresh];
    expect(await found()).toEqual({
      deliveries: [...all].sort(),
      messages: [...all].sort(),
      attempts: [dead, late, fresh].sort(),
    });

    await db.query(`update deliveries set status = 'delivered', next_attempt_at = null where id = $1`, [
      waiting,
    ]);
    expect(await removeOld(job, kept)).toMatchObject({
      deliveries: 1,
      partitions: [nameOf('messages', today - 34 * dayMs)],
      held: [nameOf('messages', today - 36 * dayMs)],
    });
  });

  it('stores rows without a daily partition in the default partition, and deletes them there', async () => {
    const day = nameOf('messages', today + 3 * dayMs);
    await db.query('drop table messages_older, attempts_older');
    const [old, future] = [await log({ daysAgo: 50 }), await log({ daysAgo: -3 })];
    const names = await makeDays(job);
    expect(names).toHaveLength(14);
    expect(names).not.toContain(day);
    expect((await found()).messages).toEqual([old, future]);
    expect(await removeOld(job, kept)).toMatchObject({ deliveries: 1, messages: 1, attempts: 1 });
    expect(await found()).toEqual({ deliveries: [future], messages: [future], attempts: [future] });
  });

  it('does not block others while an expired partition is being read', async () => {
    await fortyDays();
    const gone = nameOf('attempts', today - 35 * dayMs);
    let passed: Promise<void> | undefined;
    await db.transaction(async (tx) => {
      await tx.query('select from attempts limit 1');
      passed = runRetention({ ...job, keptSeconds: kept }, job.signal);
      await eventually(async () => expect(await waiting()).toBe(1));
      // It queues behind the drop, which cancels itself; this transaction is still open.
      await log({ daysAgo: 0 });
      expect(await partitionsOf('attempts')).toContain(gone);
    });
    await passed;
    expect(await partitionsOf('attempts')).not.toContain(gone);
  });

  it('is cleaned by one replica at a time', async () => {
    await log({ daysAgo: 50 });
    await turn(job, async () => {
      await expect(removeOld(job, kept)).rejects.toThrow(NotMyTurn);
      await runRetention({ ...job, keptSeconds: kept }, job.signal);
    });
    expect((await found()).deliveries).toHaveLength(1);
    expect(await removeOld(job, kept)).toMatchObject({ deliveries: 1 });
  });

  it('deletes finished recoveries, expired secrets and settings that were replaced long ago', async () => {
    const days = (n: number) => `now() - interval '${n} days'`;
    await db.query(
      `insert into recoveries (tenant_id, endpoint_id, since, last_id, status, total, finished_at)
       values (1, 1, now(), 0, 'done', 0, ${days(31)}), (1, 1, now(), 0, 'done', 0, ${days(29)}),
              (1, 1, now(), 0, 'running', 0, null)`,
    );
    await db.query(
      `insert into endpoint_secrets (tenant_id, endpoint_id, sealed, expires_at)
       values (1, 1, 'expired', ${days(1)}), (1, 1, 'expires', now() + interval '1 day'), (1, 1, 'in force', null)`,
    );
    await db.query(
      `insert into settings_versions (tenant_id, scope, scope_id, version, fetched_at)
       values (1, 'tenant', 1, 1, ${days(90)}), (1, 'tenant', 1, 2, ${days(60)}), (1, 'tenant', 1, 3, ${days(3)}),
              (1, 'tenant', 1, 4, ${days(2)}), (1, 'form', 9, 1, ${days(90)})`,
    );
    await db.query(`insert into settings_current values (1, 'tenant', 1, 4), (1, 'form', 9, 1)`);
    await db.query(
      `insert into settings_targets values (1, 'tenant', 1, 1, 'form_created', 1, true, 'http://127.0.0.1/')`,
    );
    expect(await removeOld(job, kept)).toMatchObject({ recoveries: 1, secrets: 1, settings: 1 });
    expect(await db.query('select sealed from endpoint_secrets order by id')).toEqual([
      { sealed: 'expires' },
      { sealed: 'in force' },
    ]);
    // Version 2 was in force until three days ago: events that name it may still be on their way.
    expect(await db.query(`select version from settings_versions where scope = 'tenant' order by 1`)).toEqual(
      ['2', '3', '4'].map((version) => ({ version })),
    );
  });

  it('keeps old settings that a recent event has referenced, because later events do not check again', async () => {
    await db.query(
      `insert into settings_versions (tenant_id, scope, scope_id, version, fetched_at)
       select 1, 'tenant', 1, n, now() - interval '50 days' from generate_series(1, 4) n`,
    );
    await db.query(`insert into settings_current values (1, 'tenant', 1, 4)`);
    const unavailable = { fetch: () => Promise.resolve('away' as const) };
    const settings = createSettings(
      db,
      unavailable,
      createSecretBox([`k1:${Buffer.alloc(32).toString('base64')}`]),
    );
    const name = (version: string) => settings.ensure('1', { scope: 'tenant', scopeId: '1', version });
    expect(await name('1')).toBe('known');
    await behindLock(
      db,
      (tx) => tx.query(keepVersion.text, [1, 'tenant', 1, 2]), // by another copy
      [() => db.query(forgetSettings, [1000, new Date(Date.now() - kept * 1000)])],
    );
    const stored = await db.query<{ version: string }>('select version from settings_versions order by 1');
    expect(stored.map(({ version }) => version)).toEqual(['1', '2', '4']);
    expect(await name('1')).toBe('known');
    expect(await name('3')).toBe('away');
  });
});
