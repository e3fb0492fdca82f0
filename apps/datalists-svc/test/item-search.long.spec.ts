import { createDatabase, fold, type Database } from '@canvass/postgres';
import { eventually, type TestDatabase } from '@canvass/testing';
import {
  createItemSearch,
  matchModes,
  type ItemSearch,
  type ItemsVersion,
  type SearchRequest,
} from '../src/search';
import { migratedDatabase, newId } from './harness';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await migratedDatabase();
  db = createDatabase({
    Url: database.url,
    PoolMax: 4,
    StatementTimeoutMs: 60_000,
    IdleInTransactionTimeoutMs: 60_000,
    MigrateOnStart: false,
  });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

interface Item {
  value: string;
  labels: Record<string, string>;
}

const syllables = [
  'Ba',
  'ré',
  'tø',
  'ß',
  'İs',
  'łó',
  'an',
  ' ',
  'na',
  '-',
  'Æ',
  '’',
  'z',
  '%',
  '_',
  'Ой',
  '東京',
  '😀',
  '😁',
  'o',
];
let state = 7;
const number = (below: number) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const word = () => Array.from({ length: 1 + number(5) }, () => syllables[number(syllables.length)]!).join('');

function someItems(count: number): Item[] {
  return Array.from({ length: count }, (_, n) => {
    const labels: Record<string, string> = { default: word() };
    if (number(3) > 0) labels['de'] = word();
    if (number(3) > 0) labels['fr'] = word();
    return { value: `${word()} ${n}`, labels };
  });
}

/** Stores items as a version of a list of its own. */
async function stored(items: readonly Item[]): Promise<ItemsVersion> {
  const from = { tenantId: newId(), listId: newId(), version: newId(), count: items.length };
  await db.query(
    `insert into items (tenant_id, list_id, version, position, value, labels)
     select $1, $2, $3, n - 1, value, labels
     from rows from (json_to_recordset($4) as (value text, labels jsonb)) with ordinality as t (value, labels, n)`,
    [from.tenantId, from.listId, from.version, JSON.stringify(items)],
  );
  return from;
}

/** An independent implementation of the rule: Postgres sorts, and every item is checked. */
async function expected(
  from: ItemsVersion,
  request: SearchRequest,
): Promise<{ total: number; items: string[] }> {
  const { shown, included, matchMode, window } = request;
  const rows = await db.query<Item>(
    `select value, labels from items where tenant_id = $1 and list_id = $2 and version = $3
     order by coalesce(labels ->> $4, labels ->> 'default') collate "${request.collation}", value`,
    [from.tenantId, from.listId, from.version, shown],
  );
  const query = fold(request.query);
  const groups: string[][] = [[], [], []];
  for (const { value, labels } of rows) {
    const texts = [value, labels[shown] ?? labels['default'], ...included.map((key) => labels[key])];
    const folded = texts.filter((text) => text !== undefined).map(fold);
    const group =
      query === '' || folded.includes(query)
        ? 0
        : folded.some((text) => text.startsWith(query))
          ? 1
          : folded.some((text) => text.includes(query))
            ? 2
            : null;
    if (group !== null && group <= ['Exact', 'StartsWith', 'Contains'].indexOf(matchMode))
      groups[group]!.push(value);
  }
  const all = groups.flat();
  return { total: all.length, items: all.slice(window.offset, window.offset + window.limit) };
}

function requests(items: readonly Item[], howMany: number): SearchRequest[] {
  return Array.from({ length: howMany }, () => {
    const { value, labels } = items[number(items.length)]!;
    const text = [value, ...Object.values(labels)][number(2)]!;
    const at = number(text.length);
    const query = [text.slice(at, at + 1 + number(4)), text, word().slice(0, 2), 'a', ''][number(5)]!;
    const [shown, collation] = (
      [
        ['default', 'en-x-icu'],
        ['de', 'de-x-icu'],
        ['sv', 'sv-x-icu'],
      ] as const
    )[number(3)]!;
    return {
      query: number(2) === 0 ? query.toUpperCase() : query,
      matchMode: matchModes[number(3)]!,
      shown,
      included: [[], ['fr'], ['fr', 'de']][number(3)]!.filter((key) => key !== shown),
      collation,
      window: { limit: 1 + number(25), offset: [0, 0, 3, 190, 500, items.length + 5][number(6)]! },
    };
  });
}

async function agrees(search: ItemSearch, from: ItemsVersion, request: SearchRequest): Promise<void> {
  const found = await search.find(from, request);
  const said = { total: found.total, items: found.items.map(({ value }) => value) };
  expect({ request, ...said }).toEqual({ request, ...(await expected(from, request)) });
}

const create = (memoryBytes: number, through: Database = db) =>
  createItemSearch({ db: through, memoryBytes });

it.each([
  ['kept in memory', 900, 64 * 1024 * 1024, 150],
  ['too large to be kept', 900, 4096, 60],
  ['of several blocks of texts', 17_000, 64 * 1024 * 1024, 25],
])('finds what the rule says in a list %s', async (_what, count, memoryBytes, howMany) => {
  const items = someItems(count);
  const from = await stored(items);
  const search = create(memoryBytes);
  for (const request of requests(items, howMany)) await agrees(search, from, request);
});

it('answers many searches at once, each of its own list', async () => {
  const search = create(200_000);
  const lists = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const items = someItems(700);
      return { items, from: await stored(items) };
    }),
  );
  const asked = lists.flatMap(({ items, from }) => requests(items, 15).map((request) => ({ from, request })));
  await Promise.all(asked.map(({ from, request }) => agrees(search, from, request)));
});

it('tries again after the database failed', async () => {
  const from = await stored(someItems(5));
  const request = requests([{ value: 'a', labels: { default: 'a' } }], 1)[0]!;
  let failing = true;
  const query = ((...args) =>
    failing ? Promise.reject(new Error('connection lost')) : db.query(...args)) as Database['query'];
  const search = create(100_000, { ...db, query });
  await expect(search.find(from, request)).rejects.toThrow('connection lost');
  failing = false;
  await eventually(() => agrees(search, from, request));
});

it('of a list without items finds nothing', async () => {
  const from = await stored([]);
  for (const query of ['', 'a'])
    await agrees(create(1000), from, {
      ...requests([{ value: 'a', labels: { default: 'a' } }], 1)[0]!,
      query,
    });
});

it('reads a version once for all its searches, also for concurrent ones', async () => {
  const items = someItems(3_000);
  const from = await stored(items);
  const asked: string[] = [];
  const query = ((sql, values) => {
    asked.push(typeof sql === 'string' ? sql : (sql.name ?? sql.text));
    return db.query(sql, values);
  }) as Database['query'];
  const search = create(2 ** 24, { ...db, query });
  const request = {
    ...requests(items, 1)[0]!,
    query: 'ba',
    window: { limit: 25, offset: 0 },
    shown: 'de',
    collation: 'de-x-icu',
    included: ['fr'],
  };
  await Promise.all([1, 2, 3].map(() => agrees(search, from, request)));
  const blocks = (name: string) => asked.filter((own) => own === name).length;
  expect([blocks('search-values'), blocks('search-labels')]).toEqual([2, 4]);
  asked.splice(0);
  await agrees(search, from, request);
  expect(asked).toEqual(['search-items-by-position']);
});

it('fails while it reads a version that is deleted', async () => {
  const from = await stored(someItems(5));
  await db.query('delete from items where list_id = $1 and position = 3', [from.listId]);
  const request = requests([{ value: 'a', labels: { default: 'a' } }], 1)[0]!;
  for (const query of ['a', ''])
    await expect(create(100_000).find(from, { ...request, query })).rejects.toThrow('is deleted');
});

it('lets other work run between the slices of a search', async () => {
  const items = someItems(20_000);
  const from = await stored(items);
  const search = create(2 ** 26);
  const window = { limit: 25, offset: items.length };
  const request = { ...requests(items, 1)[0]!, query: 'a', included: [], window };
  await search.find(from, request);
  // At each look at the clock a slice is over.
  let time = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (time += 5));
  let isOver = false;
  const searching = search.find(from, request).then(() => (isOver = true));
  let turns = 0;
  for (; !isOver; turns++) await new Promise(setImmediate);
  await searching;
  clock.mockRestore();
  // Two blocks of texts of two fields.
  expect(turns).toBeGreaterThanOrEqual(4);
});
