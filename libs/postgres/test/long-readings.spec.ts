import type { TestDatabase } from '@canvass/testing';
import { readTexts, createDatabase, readInBatches, type Database } from '../src';
import { emptyDatabase } from './empty-database';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await emptyDatabase();
  db = createDatabase({ Url: database.url, PoolMax: 3 });
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
  it('leave connections to other work; the next reader starts when one has finished', async () => {
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
});
