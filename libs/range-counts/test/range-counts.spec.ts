import { createDatabase, idAt, type Database } from '@canvass/postgres';
import { eventually, testDatabase, type TestDatabase } from '@canvass/testing';
import { createRangeCounts, withCounts, type CountedSet, type RangeCounts } from '../src';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase({
    template: 'range-counts',
    schema: 'things',
    prepare: async (url) => {
      const owner = createDatabase({ Url: url, PoolMax: 1 });
      await owner.query(`
        create table things (tenant_id bigint, kind bigint, id bigint, primary key (tenant_id, kind, id));
        create table thing_counts (tenant_id bigint, kind bigint, from_id bigint, until_id bigint, things bigint);
        create table thing_count_changes (tenant_id bigint, kind bigint, thing_id bigint, change smallint);`);
      await owner.close();
    },
  });
  db = createDatabase({ Url: database.url, PoolMax: 3 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

interface Kind {
  tenantId: string;
  kind: string;
}

const setOf = (name: string, endsWithDays: boolean): CountedSet<Kind> => ({
  name,
  ranges: 'thing_counts',
  numbers: 'things',
  changes: 'thing_count_changes',
  id: 'thing_id',
  group: { tenant_id: 'tenantId', kind: 'kind' },
  sources: [
    'select id from things where tenant_id = $tenantId and kind = $kind and id % 2 = 0',
    'select id from things where tenant_id = $tenantId and kind = $kind and id % 2 = 1',
  ],
  lock: '1, hashint8($kind::bigint)',
  endsWithDays,
});

const hour = 3_600_000;
const errors: unknown[] = [];
let plain: RangeCounts<Kind>;
let byDays: RangeCounts<Kind>;
beforeAll(() => {
  const onError = (error: unknown) => errors.push(error);
  plain = createRangeCounts(db, setOf('plain', false), onError);
  byDays = createRangeCounts(db, setOf('by_days', true), onError);
});

const add = (group: Kind, ids: readonly bigint[]) =>
  db.query('insert into things select $1, $2, unnest($3::bigint[])', [
    group.tenantId,
    group.kind,
    ids.map(String),
  ]);
const rangesOf = async ({ kind }: Kind) =>
  (
    await db.query<{ things: string }>('select things from thing_counts where kind = $1 order by from_id', [
      kind,
    ])
  ).map(({ things }) => Number(things));
const idsFrom = (time: number, count: number) =>
  Array.from({ length: count }, (_, n) => BigInt(idAt(new Date(time))) + BigInt(n));

it('counts rows of several sources, and places pages in both directions', async () => {
  const group = { tenantId: '1', kind: '1' };
  const ids = idsFrom(Date.now() - 5 * hour, 10);
  await add(group, ids);
  await add({ tenantId: '1', kind: '2' }, ids);
  await plain.countRanges(group, undefined, { size: 3, age: hour });
  expect(await rangesOf(group)).toEqual([3, 3, 3]);
  expect(await plain.total(db, group)).toBe(10);
  for (const sortDir of ['asc', 'desc'] as const)
    for (let offset = 0; offset < 10; offset += 1) {
      const page = await plain.page(db, group, { offset, sortDir });
      const listed = sortDir === 'asc' ? ids : ids.toReversed();
      const bound = page.startId === null ? null : BigInt(page.startId);
      const after = listed.filter((id) => bound === null || (sortDir === 'asc' ? id >= bound : id < bound));
      expect([page.total, after[page.offset]]).toEqual([10, listed[offset]]);
      expect(page.offset).toBeLessThan(4);
    }
});

it('adds recorded changes to the range of their id', async () => {
  const group = { tenantId: '1', kind: '3' };
  const ids = idsFrom(Date.now() - 5 * hour, 7);
  await add(group, ids);
  await plain.countRanges(group, undefined, { size: 3, age: hour });
  await db.query('delete from things where kind = 3 and id = $1', [String(ids[4])]);
  await db.query('insert into thing_count_changes values (1, 3, $1, -1)', [String(ids[4])]);
  expect(await plain.total(db, group)).toBe(6);
  await plain.countRanges(group, undefined, { size: 3, age: hour });
  expect(await rangesOf(group)).toEqual([3, 2]);
  expect(await plain.total(db, group)).toBe(6);
});

it('ends ranges with days if the set asks for it', async () => {
  const group = { tenantId: '1', kind: '4' };
  const midnight = Math.floor(Date.now() / (24 * hour)) * 24 * hour;
  await add(group, [
    ...idsFrom(midnight - 40 * hour, 4),
    ...idsFrom(midnight - 20 * hour, 2),
    ...idsFrom(Date.now(), 1),
  ]);
  await byDays.countRanges(group, undefined, { size: 3, age: 0 });
  expect(await rangesOf(group)).toEqual([3, 1, 2]);
  const [bounds] = await db.query<{ days: string }>(
    `select count(*) filter (where (until_id >> 22) % 86400000 = 0) as days from thing_counts where kind = 4`,
  );
  expect(bounds!.days).toBe('2');
  expect(await byDays.total(db, group)).toBe(7);
});

it('counts a group in the background once many of its rows were read', async () => {
  const [large, small] = [
    { tenantId: '1', kind: '5' },
    { tenantId: '1', kind: '6' },
  ];
  await add(large, idsFrom(Date.now() - 5 * hour, 20_001));
  await add(small, idsFrom(Date.now() - 5 * hour, 5));
  expect([await plain.total(db, large), await plain.total(db, small)]).toEqual([20_001, 5]);
  plain.start();
  plain.wake();
  await eventually(async () => expect(await rangesOf(large)).toEqual([10_000, 10_000]));
  await plain.stop();
  expect(await rangesOf(small)).toEqual([]);
  expect(errors).toEqual([]);
});

it('reads without counts if the schema has no tables for them', async () => {
  const read = (counts: typeof plain | null) =>
    counts === null ? Promise.resolve(['alone']) : db.query<string>('select from no_such_table');
  expect(await withCounts(plain, read)).toEqual(['alone']);
  await expect(withCounts(plain, () => db.query('select no_such_column'))).rejects.toThrow('no_such_column');
});
