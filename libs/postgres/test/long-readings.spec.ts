import type { TestDatabase } from '@canvass/testing';
import { readTexts, createDatabase, readInBatches, type Database } from '../src';
import { emptyDatabase } from './empty-database';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await emptyDatabase();
  db = createDatabase({ Url: database.url, PoolMax: 2 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const sql = `select repeat('x', 1000) from generate_series(1, 20000)`;
const never = new AbortController().signal;
const readings: [string, (signal: AbortSignal) => AsyncGenerator<unknown>][] = [
  ['readTexts', (signal) => readTexts(db, { sql, values: [] }, signal)],
  ['readInBatches', (signal) => readInBatches(db, { sql, values: [] }, signal)],
];

describe.each(readings)('slow readers with %s', (_name, read) => {
  it('leave half of the connections to other work; the next reader starts when one has finished', async () => {
    const first = read(never);
    expect((await first.next()).done).toBe(false);
    const second = read(never);
    const turn = second.next();
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
    await first.return(undefined);
    expect((await turn).done).toBe(false);
    await second.return(undefined);
  });

  it('take no connection if they disconnect while waiting', async () => {
    const [first, abort] = [read(never), new AbortController()];
    await first.next();
    const gone = read(abort.signal).next();
    const next = read(never);
    const turn = next.next();
    abort.abort(new Error('The client went away.'));
    await expect(gone).rejects.toThrow('The client went away.');
    await first.return(undefined);
    expect((await turn).done).toBe(false);
    await next.return(undefined);
  });

  it('pause between batches and read smaller ones while the pool has other work', async () => {
    const tenBatches = async () => {
      const startedAt = performance.now();
      const reading = read(never);
      const sizes: number[] = [];
      for (let n = 0; n < 10; n += 1) sizes.push(((await reading.next()).value ?? []).length);
      await reading.return(undefined);
      return { ms: performance.now() - startedAt, largest: Math.max(...sizes) };
    };
    const alone = await tenBatches();
    const other = db.query('select pg_sleep(2)');
    const beside = await tenBatches();
    await other;
    // At most 5 ms each, so that it still proceeds.
    expect(beside.ms).toBeGreaterThan(8 * 5);
    expect(beside.ms).toBeLessThan(1_900);
    expect(beside.largest).toBeLessThan(alone.largest / 2);
  });
});
