import type { TestDatabase } from '@canvass/testing';
import { createDatabase, type Database } from '../src';
import { emptyDatabase } from './empty-database';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await emptyDatabase();
  db = createDatabase({ Url: database.url, PoolMax: 1 });
  await db.query('create table numbers (n int primary key)');
});
afterEach(() => db.query('delete from numbers'));
afterAll(async () => {
  await db.close();
  await database.drop();
});

const copy = 'copy numbers (n) from stdin';
const count = async () => (await db.query<{ n: string }>('select count(*) as n from numbers'))[0]!.n;
const backend = async () => (await db.query<{ pid: number }>('select pg_backend_pid() as pid'))[0]!.pid;

async function* rows(total: number, meanwhile: (at: number) => unknown = () => undefined) {
  for (let at = 0; at < total; at += 1000) {
    await meanwhile(at);
    yield Buffer.from(Array.from({ length: 1000 }, (_, n) => `${at + n}\n`).join(''));
  }
}

it('streams rows into a table, committed with the rest of the transaction', async () => {
  await db.transaction(async (tx) => {
    await tx.copyIn(copy, rows(100_000));
    await tx.query('insert into numbers values (-1)');
  });
  expect(await count()).toBe('100001');
});

it('is rolled back with the transaction, and keeps the connection', async () => {
  const pid = await backend();
  const failing = db.transaction(async (tx) => {
    await tx.copyIn(copy, rows(5000));
    throw new Error('afterwards');
  });
  await expect(failing).rejects.toThrow('afterwards');
  expect([await count(), await backend()]).toEqual(['0', pid]);
});

it('rethrows the error of its source, and keeps the connection', async () => {
  const pid = await backend();
  const source = rows(50_000, (at) => {
    if (at === 20_000) throw new Error('the source is broken');
  });
  await expect(db.transaction((tx) => tx.copyIn(copy, source))).rejects.toThrow('the source is broken');
  expect([await count(), await backend()]).toEqual(['0', pid]);
});

it('throws the error of Postgres for a row, ends its source and keeps the connection', async () => {
  const pid = await backend();
  let ended = false;
  async function* source() {
    try {
      yield* rows(1000);
      yield* rows(10_000_000);
    } finally {
      ended = true;
    }
  }
  const failing = db.transaction((tx) => tx.copyIn(copy, source()));
  await expect(failing).rejects.toMatchObject({ code: '23505' });
  expect([ended, await count(), await backend()]).toEqual([true, '0', pid]);
});

it('fails when its session is killed', async () => {
  const admin = createDatabase({ Url: database.adminUrl });
  const pid = await backend();
  const source = rows(10_000_000, (at) =>
    at === 50_000 ? admin.query('select pg_terminate_backend($1)', [pid]) : undefined,
  );
  await expect(db.transaction((tx) => tx.copyIn(copy, source))).rejects.toThrow();
  expect(await count()).toBe('0');
  await admin.close();
});
