import { createDatabase, within, type Database } from '@canvass/postgres';
import { eventually, type TestDatabase } from '@canvass/testing';
import { fold } from '../src/items/fold';
import {
  createItemSearch,
  matchModes,
  removeStaleColumns,
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

/** As a version of a list of its own, or of the one given. */
async function stored(
  items: readonly Item[],
  { tenantId, listId } = { tenantId: newId(), listId: newId() },
): Promise<ItemsVersion> {
  const from = { tenantId, listId, version: newId(), count: items.length };
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

const warnings: string[] = [];
beforeEach(() => void warnings.splice(0));
afterEach(() => expect(warnings).toEqual([]));

const create = (memoryBytes: number, through: Database = db) =>
  createItemSearch({
    db: through,
    fold,
    memoryBytes,
    onWarning: (_error, message) => warnings.push(message),
  });

it.each([
  ['kept in memory', 900, 64 * 1024 * 1024, 150],
  ['too large to be kept', 900, 4096, 60],
  ['of so many items that grams are made', 12_000, 64 * 1024 * 1024, 40],
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

describe('the search data of a large list', () => {
  const columns = (from: ItemsVersion) =>
    db.query<{ name: string }>(
      'select name from search_columns where list_id = $1 and chunk = 0 order by name',
      [from.listId],
    );

  async function searched() {
    const items = someItems(10_500);
    const from = await stored(items);
    await db.query(
      `insert into data_lists (id, tenant_id, name, folded, items_version, items_count) values ($1, $2, 'x', 'x', $3, $4)`,
      [from.listId, from.tenantId, from.version, from.count],
    );
    const request = {
      ...requests(items, 1)[0]!,
      query: 'ba',
      window: { limit: 25, offset: 0 },
      shown: 'de',
      collation: 'de-x-icu',
      included: ['fr'],
    };
    await agrees(create(2 ** 24), from, request);
    const names = ['order:de:de-x-icu', 'text:label:fr', 'text:shown:de', 'text:value'];
    await eventually(async () => expect((await columns(from)).map(({ name }) => name)).toEqual(names));
    return { from, items, request };
  }

  /** The database, and the names of the statements that it was asked. */
  function watching() {
    const asked: unknown[] = [];
    const query = ((sql, values) => {
      asked.push(typeof sql === 'string' ? sql : sql.name);
      return db.query(sql, values);
    }) as Database['query'];
    return { asked, watched: { ...db, query } };
  }

  it('is read by the next process, which does not read the items again', async () => {
    const { from, items, request } = await searched();
    const { asked, watched } = watching();
    const search = create(2 ** 24, watched);
    await agrees(search, from, request);
    expect(new Set(asked)).toEqual(
      new Set(['search-columns-column', 'search-columns-chunk', 'search-items-by-position']),
    );
    for (const other of requests(items, 20)) await agrees(search, from, other);
  });

  it('is built for the next version before its first search', async () => {
    const { from, request } = await searched();
    const items = someItems(10_400);
    const next = await stored(items, from);
    const { asked, watched } = watching();
    const search = create(2 ** 24, watched);
    const load = await db.transaction((tx) => search.prepare(within(tx), from, next));
    expect(await columns(next)).toEqual(await columns(from));
    await load();
    expect(new Set(asked.splice(0))).toEqual(new Set(['search-columns-column', 'search-columns-chunk']));
    await agrees(search, next, request);
    expect(asked).toEqual(['search-items-by-position']);
    for (const other of requests(items, 10)) await agrees(search, next, other);
  });

  it('is loaded at start, before the first search, as far as it fits into memory', async () => {
    const { from, request } = await searched();
    const { asked, watched } = watching();
    const search = create(2 ** 26, watched);
    await search.warmUp(new AbortController().signal);
    asked.splice(0);
    await agrees(search, from, request);
    expect(asked).toEqual(['search-items-by-position']);
    asked.splice(0);
    await create(1, watched).warmUp(new AbortController().signal);
    expect(asked.filter((name) => name === 'search-columns-column')).toHaveLength(1);
    await create(2 ** 26, watched).warmUp(AbortSignal.abort());
    expect(asked.at(-1)).toBe('search-columns-current');
  });

  it('is rebuilt if it is corrupt', async () => {
    const { from, request } = await searched();
    await db.query(`update search_columns set bytes = '\\x0102' where list_id = $1`, [from.listId]);
    await agrees(create(2 ** 24), from, request);
    expect(warnings.splice(0)).toHaveLength(4);
  });

  it('is deleted when the version is replaced, and not before', async () => {
    const { from } = await searched();
    await removeStaleColumns(db);
    expect(await columns(from)).toHaveLength(4);
    await db.query('update data_lists set items_version = items_version + 1 where id = $1', [from.listId]);
    await removeStaleColumns(db);
    expect(await columns(from)).toEqual([]);
  });
});
