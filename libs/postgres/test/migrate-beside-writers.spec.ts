import { eventually, type TestDatabase } from '@canvass/testing';
import {
  createDatabase,
  createIndexConcurrently,
  dropIndexConcurrently,
  migrate,
  type Database,
  type Migration,
} from '../src';
import { emptyDatabase } from './empty-database';

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await emptyDatabase();
  db = createDatabase({ Url: database.url });
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

const step = (name: string, up: Migration['up'], down: Migration['down'] = () => Promise.resolve()) => ({
  name,
  up,
  down,
});
const table = step('0001_table', async (knex) => void (await knex.raw('create table t (n int)')));
const column = step('0002_column', async (knex) => void (await knex.raw('alter table t add column m int')));
const index: Migration = {
  ...step(
    '0003_index',
    (knex) => createIndexConcurrently(knex, 't_by_n', 'on t (n)', { unique: true }),
    (knex) => dropIndexConcurrently(knex, 't_by_n'),
  ),
  transaction: false,
};

const indexes = () =>
  db.query<{ name: string; valid: boolean }>(
    `select indexrelid::regclass::text as name, indisvalid as valid from pg_index
     where indrelid = 't'::regclass`,
  );

/** Sessions that wait for a lock. */
const waiting = async () =>
  (
    await db.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  ).length;

describe('migrations beside writers', () => {
  it('do not block others while a table is locked, and continue once it is free', async () => {
    await migrate(database.url, [table]);
    let migrated: Promise<string[]> | undefined;
    await db.transaction(async (tx) => {
      await tx.query('insert into t values (1)'); // holds the table against an alter
      migrated = migrate(database.url, [table, column]);
      await eventually(async () => expect(await waiting()).toBe(1));
      // It queues behind the alter table, for as long as this transaction is open.
      await db.query('insert into t values (2)');
      expect(await db.query(`select from information_schema.columns where column_name = 'm'`)).toEqual([]);
    });
    expect(await migrated).toEqual(['0002_column']);
  });

  it('create an index concurrently while other replicas wait for the lock', async () => {
    await migrate(database.url, [table]);
    let runs: Promise<string[][]> | undefined;
    await db.transaction(async (tx) => {
      await tx.query('insert into t values (1)'); // what the index has to wait for
      runs = Promise.all([1, 2, 3].map(() => migrate(database.url, [table, index])));
      await eventually(async () => expect(await waiting()).toBe(1));
      await db.query('insert into t values (2)');
    });
    expect((await runs)?.flat()).toEqual(['0003_index']);
    expect(await indexes()).toEqual([{ name: 't_by_n', valid: true }]);
    await migrate(database.url, [table, index], { direction: 'down', to: '0001_table' });
    expect(await indexes()).toEqual([]);
  });

  it('drop the invalid index of a failed attempt', async () => {
    await migrate(database.url, [table]);
    await db.query('insert into t values (1), (1)');
    await expect(migrate(database.url, [table, index])).rejects.toThrow('0003_index failed');
    expect(await indexes()).toEqual([{ name: 't_by_n', valid: false }]);
    await db.query('delete from t');
    expect(await migrate(database.url, [table, index])).toEqual(['0003_index']);
    expect(await indexes()).toEqual([{ name: 't_by_n', valid: true }]);
  });
});
