import type { TestDatabase } from '@canvass/testing';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, readBounded, type Database } from '../src';
import { emptyDatabase } from './empty-database';

const owner = new AsyncLocalStorage<string>();
let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await emptyDatabase();
  db = createDatabase({ Url: database.url, PoolMax: 5 }, { ownerOf: () => owner.getStore() });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** Listings, one of each owner, that wait for a lock; and how many of them have a connection. */
async function heldUp(owners: readonly string[]) {
  const holder = await db.openSession('holder');
  await holder.query('select pg_advisory_lock(1)');
  let running = 0;
  const list = () =>
    readBounded(db, 'advice', async (tx) => {
      running += 1;
      await tx.query('select pg_advisory_xact_lock_shared(1)');
    });
  const listings = Promise.all(owners.map((of) => owner.run(of, list)));
  await sleep(300);
  return {
    running: () => running,
    async release() {
      await holder.end();
      await listings;
    },
  };
}

const one = () => db.query('select 1 as one');

it('listings of many owners leave connections to other work, and each gets its turn', async () => {
  const waiting = await heldUp(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(waiting.running()).toBe(2);
  expect(await owner.run('g', one)).toEqual([{ one: 1 }]);
  await waiting.release();
  expect(waiting.running()).toBe(6);
});

it('listings of one owner leave room for those of another', async () => {
  const waiting = await heldUp(['a', 'a', 'a', 'a']);
  expect(waiting.running()).toBe(1);
  expect(await owner.run('b', () => readBounded(db, 'advice', one))).toEqual([{ one: 1 }]);
  await waiting.release();
  expect(waiting.running()).toBe(4);
});
