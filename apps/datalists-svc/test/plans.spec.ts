import { createDatabase, type Database, type Queryable, type Sql } from '@canvass/postgres';
import type { TestDatabase } from '@canvass/testing';
import { linesOf, removeDiscardedBatch } from '../src/items';
import { itemsOfStored } from '../src/items/list-items';
import { selectItemsByValue } from '../src/items/items.sql';
import { copyLines } from '../src/items/write-items.sql';
import { selectItemsAt } from '../src/search/search-data.sql';
import { migratedDatabase } from './harness';

// A version that was just imported is unknown to the planner until autovacuum has gathered statistics.

const imported = { tenantId: '1', listId: '2', version: '4' };
const items = 20_000;
let database: TestDatabase;
let db: Database;

const itemsUpTo = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ value: `v${n}`, labels: { default: 'L' } }));

beforeAll(async () => {
  database = await migratedDatabase();
  db = createDatabase({ Url: database.url });
  await db.query('alter table items set (autovacuum_enabled = false)');
  const small = { ...imported, version: '3' };
  await db.transaction((tx) => copyLines(tx, [linesOf(small, 0, itemsUpTo(10))]));
  await db.query('analyze items');
  await db.transaction((tx) => copyLines(tx, [linesOf(imported, 0, itemsUpTo(items))]));
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

interface PlanNode {
  'Rows Removed by Filter'?: number;
  'Actual Rows': number;
  Plans?: PlanNode[];
}

/** Counts how many rows the statements sent through it have read, and how many only to throw them away. */
function watched(): { db: Queryable; read(): number; thrownAway(): number } {
  let [read, thrownAway] = [0, 0];
  const add = (node: PlanNode) => {
    thrownAway += node['Rows Removed by Filter'] ?? 0;
    if (node.Plans === undefined) read += node['Actual Rows'];
    node.Plans?.forEach(add);
  };
  const query: Queryable['query'] = async <R>(sql: Sql<R>, values?: readonly unknown[]) => {
    const given = typeof sql === 'string' ? { text: sql, values } : sql;
    const [row] = await db.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `explain (analyze, format json) ${given.text}`,
      given.values,
    );
    add(row!['QUERY PLAN'][0]!.Plan);
    return db.query(sql, values);
  };
  return { db: { ...db, query }, read: () => read, thrownAway: () => thrownAway };
}

it('a page of a search reads its items only', async () => {
  const { db: explained, thrownAway } = watched();
  const found = await selectItemsAt(explained, { ...imported, count: items }, Uint32Array.of(19_999, 3, 512));
  expect(found.map(({ value }) => value)).toEqual(['v19999', 'v3', 'v512']);
  expect(thrownAway()).toBe(0);
});

it('display values read their items only', async () => {
  const { db: explained, thrownAway } = watched();
  const found = await selectItemsByValue(explained, imported, ['v19999', 'v3', 'none']);
  expect(found.map(({ value }) => value).sort()).toEqual(['v19999', 'v3']);
  expect(thrownAway()).toBe(0);
});

it('a page of a stored version reads its items only', async () => {
  const { db: explained, read, thrownAway } = watched();
  const window = { limit: 10, total: 'none' } as const;
  const first = await itemsOfStored(explained, imported, window);
  expect(first.items.map(({ value }) => value)).toEqual(itemsUpTo(10).map(({ value }) => value));
  const { items: next } = await itemsOfStored(explained, imported, { ...window, after: first.next! });
  expect(next[0]!.value).toBe('v10');
  expect([read(), thrownAway()]).toEqual([22, 0]);
});

it('a discarded version is removed in as many steps as it has batches, and one that finds none', async () => {
  await db.query('insert into discarded_versions (tenant_id, list_id, version) values (1, 2, 4)');
  const steps = [];
  while (await removeDiscardedBatch(db, 0)) steps.push(1);
  expect(steps).toHaveLength(2);
  expect(await db.query('select version from items group by version')).toEqual([{ version: '3' }]);
});
