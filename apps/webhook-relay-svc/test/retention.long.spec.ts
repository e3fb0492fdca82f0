import { createSecretBox } from '@canvass/auth';
import { createDatabase, migrate, type Database } from '@canvass/postgres';
import { silentLogger } from '@canvass/service-kit';
import { behindLock, eventually, testDatabase, type TestDatabase } from '@canvass/testing';
import { migrations } from '../migrations';
import { createSettings } from '../src/endpoints';
import { runRetention } from '../src/retention';
import { keepVersion } from '../src/endpoints/settings.sql';
import { createDays, deleteExpired } from '../src/retention/delete-expired';
import { deleteExpiredRows } from '../src/retention/delete-expired.sql';
import { LockNotAcquired, lockedStep, type RetentionRun } from '../src/retention/locked-step';
import { createDay, dailyTables } from '../src/retention/partitions.sql';

let database: TestDatabase;
let db: Database;
let run: RetentionRun;
beforeEach(async () => {
  database = await testDatabase({
    migrations,
    schema: 'webhooks',
    prepare: async (url) => void (await migrate(url, migrations)),
  });
  db = createDatabase({ Url: database.url, PoolMax: 6 });
  run = { db, logger: silentLogger, signal: new AbortController().signal };
  await db.query(
    `insert into endpoints (tenant_id, id, scope, scope_id, url, disabled_at)
     values (1, 1, 'tenant', 1, 'http://127.0.0.1/', null), (1, 2, 'tenant', 1, 'http://127.0.0.1/', now())`,
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
    for (let day = today - 40 * dayMs; day < today; day += dayMs)
      await db.query(
        createDay({ table, name: nameOf(table, day), first: idAt(day), next: idAt(day + dayMs) }),
      );
  }
  await createDays(run);
}

interface Made {
  daysAgo: number;
  status?: 'delivered' | 'dead' | 'failed';
  /** Days since the message was stored, if not on that day. */
  storedDaysAgo?: number;
  endpoint?: number;
}

let made = 0;
/** A message with a delivery, as they were made some days ago, at noon; the delivery's id. */
async function log({ daysAgo, status = 'delivered', storedDaysAgo = daysAgo, endpoint = 1 }: Made) {
  const at = (days: number) => idAt(today + dayMs / 2 - days * dayMs + (made += 1));
  const [message, delivery] = [at(daysAgo), at(storedDaysAgo)];
  const stored = new Date(today + dayMs / 2 - storedDaysAgo * dayMs);
  await db.query(
    `insert into messages (id, tenant_id, event_name, entity, action, body, occurred_at, created_at)
     values ($1, 1, 'submission_completed', 'submission', 'updated', '{}', $2, $2)`,
    [message, stored],
  );
  await db.query(
    `insert into deliveries (id, tenant_id, message_id, endpoint_id, event_name, entity_id, occurred_at, created_at, status,
                             attempt_count, attempts)
     values ($1, 1, $2, $5, 'submission_completed', 1, $3, $3, $4, 1, '{}')`,
    [delivery, message, stored, status, endpoint],
  );
  if (status === 'failed') await wait(delivery, message, stored, endpoint);
  return delivery;
}

async function wait(delivery: string, message: string, stored: Date, endpoint: number): Promise<void> {
  await db.query(
    `insert into waiting (id, tenant_id, message_id, endpoint_id, event_name, entity_id, occurred_at, due_at, attempts)
     values ($1, 1, $2, $4, 'submission_completed', 1, $3, $3, 1)`,
    [delivery, message, stored, endpoint],
  );
  await db.query('update endpoints set first_due = least(first_due, $2) where id = $1', [endpoint, stored]);
}

const partitionsOf = async (table: string) =>
  (
    await db.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = to_regclass($1) order by 1`,
      [table],
    )
  ).map(({ name }) => name);

/** Ids of the deliveries whose rows and messages are there. */
async function found() {
  const ids = async (sql: string) =>
    (await db.query<{ id: string }>(`${sql} order by 1`)).map(({ id }) => id);
  return {
    deliveries: await ids('select id from deliveries'),
    messages: await ids('select d.id from deliveries d join messages m on m.id = d.message_id'),
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
    expect(await createDays(run)).toEqual([]);
  });

  it('drops expired partitions with final deliveries, and keeps waiting deliveries with their message', async () => {
    await fortyDays();
    await log({ daysAgo: 35 });
    await log({ daysAgo: 33, status: 'dead' });
    const waiting = await log({ daysAgo: 34, status: 'failed' });
    await log({ daysAgo: 34 });
    const late = await log({ daysAgo: 36, storedDaysAgo: 2 });
    const dead = await log({ daysAgo: 29, status: 'dead' });
    const fresh = await log({ daysAgo: 0, status: 'failed' });

    const deleted = await deleteExpired(run, kept);
    const day = (table: string, n: number) => nameOf(table, today - n * dayMs);
    const held = [day('deliveries', 34), day('messages', 36), day('messages', 34)];
    expect(deleted).toMatchObject({ deliveries: 1, messages: 1, held });
    const [deliveryDays, messageDays] = [await partitionsOf('deliveries'), await partitionsOf('messages')];
    for (let n = 32; n <= 40; n += 1) {
      expect(deliveryDays.includes(day('deliveries', n))).toBe(n === 34);
      expect(messageDays.includes(day('messages', n))).toBe(n === 34 || n === 36);
    }
    const all = [waiting, dead, late, fresh].sort();
    expect(await found()).toEqual({ deliveries: all, messages: all });

    await db.query('delete from waiting where id = $1', [waiting]);
    expect(await deleteExpired(run, kept)).toMatchObject({
      partitions: [day('deliveries', 34), day('messages', 34)],
      held: [day('messages', 36)],
    });
  });

  it('drops what waits too long for a disabled endpoint, and nothing that is younger', async () => {
    await fortyDays();
    await log({ daysAgo: 34, status: 'failed', endpoint: 2 });
    const kept34 = await log({ daysAgo: 34, status: 'failed', endpoint: 1 });
    const young = await log({ daysAgo: 20, status: 'failed', endpoint: 2 });
    expect(await deleteExpired(run, kept)).toMatchObject({ waiting: 1, deliveries: 1, messages: 1 });
    expect(await found()).toMatchObject({ deliveries: [kept34, young].sort() });
    expect(await db.query('select id from waiting order by id')).toEqual(
      [kept34, young].sort().map((id) => ({ id })),
    );
  });

  it('takes what no day is there for, and clears it from there', async () => {
    const day = nameOf('messages', today + 3 * dayMs);
    const [old, future] = [await log({ daysAgo: 50 }), await log({ daysAgo: -3 })];
    const names = await createDays(run);
    expect(names).toHaveLength(14);
    expect(names).not.toContain(day);
    expect((await found()).messages).toEqual([old, future]);
    expect(await deleteExpired(run, kept)).toMatchObject({ deliveries: 1, messages: 1 });
    expect(await found()).toEqual({ deliveries: [future], messages: [future] });
  });

  it('gives up the lock soon while an expired day is being read', async () => {
    await fortyDays();
    const expired = nameOf('deliveries', today - 35 * dayMs);
    let ran: Promise<void> | undefined;
    await db.transaction(async (tx) => {
      await tx.query('select from deliveries limit 1');
      ran = runRetention({ ...run, keptSeconds: kept }, run.signal);
      await eventually(async () => expect(await waiting()).toBe(1));
      // It queues behind the drop, which gives up; this transaction is still open.
      await log({ daysAgo: 0 });
      expect(await partitionsOf('deliveries')).toContain(expired);
    });
    await ran;
    expect(await partitionsOf('deliveries')).not.toContain(expired);
  });

  it('is cleaned by one replica at a time', async () => {
    await log({ daysAgo: 50 });
    await lockedStep(run, async () => {
      await expect(deleteExpired(run, kept)).rejects.toThrow(LockNotAcquired);
      await runRetention({ ...run, keptSeconds: kept }, run.signal);
    });
    expect((await found()).deliveries).toHaveLength(1);
    expect(await deleteExpired(run, kept)).toMatchObject({ deliveries: 1 });
  });

  it('deletes expired secrets and settings that were replaced long ago', async () => {
    const days = (n: number) => `now() - interval '${n} days'`;
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
    expect(await deleteExpired(run, kept)).toMatchObject({ secrets: 1, settings: 1 });
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
      [
        () =>
          db.query(deleteExpiredRows.settings({ rows: 1000, before: new Date(Date.now() - kept * 1000) })),
      ],
    );
    const stored = await db.query<{ version: string }>('select version from settings_versions order by 1');
    expect(stored.map(({ version }) => version)).toEqual(['1', '2', '4']);
    expect(await name('1')).toBe('known');
    expect(await name('3')).toBe('away');
  });
});
