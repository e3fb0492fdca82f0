import { eventually, type TestDatabase } from '@canvass/testing';
import { createDatabase, readInBatches, readTexts, within, type Database } from '../src';
import { emptyDatabase } from './empty-database';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await emptyDatabase();
  db = createDatabase({ Url: database.url, PoolMax: 3 });
  await db.query('create table notes (id int primary key)');
});
afterEach(() => db.query('delete from notes'));
afterAll(async () => {
  await db.close();
  await database.drop();
});

const ids = async () =>
  (await db.query<{ id: number }>('select id from notes order by id')).map(({ id }) => id);
const add = 'insert into notes values ($1)';

describe('within a transaction', () => {
  it('a failed call reverts only itself, even with concurrent calls', async () => {
    await db.transaction(async (tx) => {
      const inner = within(tx);
      const outcomes = await Promise.allSettled([1, 1, 2].map((id) => inner.query(add, [id])));
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    });
    expect(await ids()).toEqual([1, 2]);
  });

  it('a nested transaction is rolled back completely, and its hooks wait for the outer commit', async () => {
    const called: string[] = [];
    await db.transaction(async (tx) => {
      const inner = within(tx);
      await inner.transaction(async (nested) => {
        nested.afterCommit(() => called.push('kept'));
        await nested.query(add, [1]);
      });
      const failed = inner.transaction(async (nested) => {
        nested.afterCommit(() => called.push('undone'));
        await nested.query(add, [2]);
        throw new Error('no');
      });
      await expect(failed).rejects.toThrow('no');
      expect(called).toEqual([]);
    });
    expect([await ids(), called]).toEqual([[1], ['kept']]);
  });

  it('nothing remains if the outer transaction fails', async () => {
    const outer = db.transaction(async (tx) => {
      await within(tx).query(add, [1]);
      throw new Error('no');
    });
    await expect(outer).rejects.toThrow('no');
    expect(await ids()).toEqual([]);
  });
});

describe('readInBatches', () => {
  const read = (sql: string, signal = new AbortController().signal, values: unknown[] = []) =>
    readInBatches<[string]>(db, { sql, values }, signal);

  it('returns all rows in order, in smaller batches for large rows', async () => {
    const sizes: number[] = [];
    let rows = 0;
    const sql = `select case when n < 500 then n::text else repeat('x', 400000) end from generate_series(1, $1::int) n`;
    for await (const batch of read(sql, undefined, [540])) {
      sizes.push(batch.length);
      rows += batch.length;
    }
    expect(rows).toBe(540);
    expect(sizes.slice(0, 4)).toEqual([8, 16, 32, 64]);
    expect(Math.max(...sizes)).toBe(256);
    expect(Math.min(...sizes.slice(0, -1))).toBeLessThan(8);
  });

  it('releases the connection after the end, an early exit or an error', async () => {
    for (let n = 0; n < 5; n += 1) {
      for await (const batch of read('select n::text from generate_series(1, 1000) n')) {
        if (batch.length > 8) break;
      }
      await expect(read('select 1/0').next()).rejects.toThrow('division by zero');
    }
    expect(db.pool.totalCount - db.pool.idleCount).toBe(0);
    expect(await ids()).toEqual([]);
  });

  it('returns texts of any length as bytes', async () => {
    const sql = `select repeat('ä€😀', n % $1::int) || E'\\n' from generate_series(1, 2000) n`;
    const pieces: Buffer[] = [];
    for await (const piece of readTexts(db, { sql, values: [300] }, new AbortController().signal))
      pieces.push(piece);
    const expected = Array.from({ length: 2000 }, (_, n) => `${'ä€😀'.repeat((n + 1) % 300)}\n`).join('');
    expect(Buffer.concat(pieces).toString()).toBe(expected);
    expect(pieces.length).toBeGreaterThan(8);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(1_000_000);
  });

  it('cancels a running query when it is aborted', async () => {
    const abort = new AbortController();
    const next = read('select pg_sleep(30)::text', abort.signal).next();
    setTimeout(() => abort.abort(new Error('gone')), 100);
    await expect(next).rejects.toThrow();
    await expect(read('select 1', abort.signal).next()).rejects.toThrow('gone');
    const running = `select from pg_stat_activity where datname = current_database() and query like 'fetch%' and state = 'active'`;
    await eventually(async () => expect(await db.query(running)).toEqual([]), { timeoutMs: 20_000 });
  });
});
