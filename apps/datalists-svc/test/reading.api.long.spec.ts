import type { DataListItem } from '@canvass/contracts';
import { client, type Client } from './client';
import { newId, startHarness, type Harness } from './harness';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

interface KeyPage<T> {
  items: T[];
  next: string | null;
  previous: string | null;
  total: number | null;
}

const item = (value: string, labels: Record<string, string> = {}): DataListItem => ({
  value,
  labels: { default: `L ${value}`, ...labels },
});

async function listWith(items: DataListItem[]) {
  const admin = harness.newTenant();
  const { id } = await admin.createList({ availableLocales: ['nl', 'fr'] });
  await admin.importItems(id, items);
  return { admin, id, path: `/api/data-lists/${id}` };
}

const pageOf = async <T = DataListItem>(admin: Client, path: string) => {
  const { status, body } = await admin.get<KeyPage<T>>(path);
  expect([path, status]).toEqual([path, 200]);
  return body;
};

it('coverage counts the labels of each locale, and missing lists the gaps', async () => {
  const items = [item('a', { nl: 'A' }), item('b', { nl: 'B', fr: 'B' }), item('c'), item('d', { nl: 'D' })];
  const { admin, path } = await listWith(items);
  const coverage = await admin.get(`${path}/coverage`);
  expect(coverage.body).toEqual({
    itemsCount: 4,
    locales: [
      { locale: 'en', key: 'default', labelled: 4, missing: 0 },
      { locale: 'nl', key: 'nl', labelled: 3, missing: 1 },
      { locale: 'fr', key: 'fr', labelled: 1, missing: 3 },
    ],
  });
  const etag = coverage.headers.get('etag')!;
  expect((await admin.get(`${path}/coverage`, { 'if-none-match': etag })).status).toBe(304);
  const missing = async (query: string) =>
    (await pageOf(admin, `${path}/items?missing=${query}`)).items.map(({ value }) => value);
  expect(await missing('fr')).toEqual(['a', 'c', 'd']);
  expect(await missing('FR&page=2&pageSize=2')).toEqual(['d']);
  expect((await admin.get(`${path}/items?missing=fr&pageSize=2`)).body).toMatchObject({ totalRecords: 3 });
  expect(await missing('en')).toEqual([]);
  for (const query of ['missing=de', 'missing=fr&query=a'])
    expect([query, (await admin.get(`${path}/items?${query}`)).status]).toEqual([query, 400]);
});

it('explain names the text that matched, for the management search and for that of a form', async () => {
  const { admin, id, path } = await listWith([
    item('1', { default: 'Große Straße', nl: 'Grote straat' }),
    item('2', { default: 'Strasse' }),
  ]);
  const expected = [
    { value: '2', match: { key: 'default', start: 0, end: 7, rank: 'exact' } },
    { value: '1', match: { key: 'default', start: 6, end: 12, rank: 'contains' } },
  ];
  const found = await admin.get(`${path}/items?query=strasse&explain=true`);
  expect(found.body['items']).toMatchObject(expected);
  const formId = newId();
  const token = harness.formToken({ tenantId: admin.tenantId, formId, lists: [id] });
  const runtime = client(harness.service.url, token);
  const search = `/api/public/forms/${formId}/data-lists/${id}/search`;
  expect((await runtime.get(`${search}?query=strasse&explain=true`)).body['items']).toMatchObject(expected);
  const inDutch = await runtime.get(`${search}?query=grote&locale=nl&explain=true`);
  expect(inDutch.body['items']).toMatchObject([{ match: { key: 'nl', start: 0, end: 5, rank: 'prefix' } }]);
  expect((await runtime.get(`${search}?explain=true`)).body['items']).toMatchObject([
    { match: null },
    { match: null },
  ]);
  expect((await admin.get(`${path}/items?query=strasse`)).text).not.toContain('match');
});

describe('versions', () => {
  it('show their items, their authors and what changed between any two', async () => {
    const { admin, id, path } = await listWith([item('a'), item('b'), item('c')]);
    await admin.importItems(id, [item('a', { nl: 'A' }), item('b'), item('d')]);
    await admin.importItems(id, [item('e')]);
    const versions = await pageOf<{ number: number; createdBy: unknown }>(admin, `${path}/versions`);
    const author = { provider: 'Service', kind: 'user', subject: expect.any(String) as string };
    expect(versions.items.map(({ number, createdBy }) => [number, createdBy])).toEqual([
      [3, author],
      [2, author],
      [1, author],
    ]);
    const first = await pageOf(admin, `${path}/versions/1/items?limit=2`);
    expect(first.items).toEqual([item('a'), item('b')]);
    const rest = await pageOf(admin, `${path}/versions/1/items?limit=2&after=${first.next}`);
    expect([rest.items, rest.next]).toEqual([[item('c')], null]);

    const difference = async (query: string) =>
      (await admin.get<Record<string, unknown>>(`${path}/versions/${query}`)).body;
    expect(await difference('1/difference?to=2&kind=changed&counts=true&total=exact')).toEqual({
      items: [{ value: 'a', before: item('a').labels, after: item('a', { nl: 'A' }).labels }],
      next: null,
      previous: null,
      total: 1,
      totalIsExact: true,
      counts: { added: 1, changed: 1, removed: 1, unchanged: 1 },
    });
    // To the current items, and backwards, which is what a restore changes.
    expect(await difference('2/difference?kind=removed&limit=2')).toMatchObject({
      items: [{ value: 'a' }, { value: 'b' }],
      next: expect.any(String) as string,
    });
    expect(await difference('3/difference?to=1&kind=added')).toMatchObject({
      items: [{ value: 'a' }, { value: 'b' }, { value: 'c' }],
      next: null,
    });
  });

  it('are compared in parts that have all differences, whatever values they have', async () => {
    const of = (from: number, to: number, labels?: Record<string, string>) =>
      Array.from({ length: to - from }, (_, n) => item(`v${String(from + n).padStart(5, '0')}`, labels));
    // 30 values before many new ones, one changed among many equal ones, and 20 after them.
    const { admin, id, path } = await listWith([...of(0, 30), ...of(20_000, 31_500), ...of(90_000, 90_020)]);
    await admin.importItems(id, [
      ...of(0, 30),
      ...of(100, 12_600),
      ...of(20_000, 31_200),
      ...of(31_200, 31_201, { nl: 'new' }),
      ...of(31_201, 31_500),
    ]);
    type Page = KeyPage<{ value: string }>;
    const walk = async (query: string, cursor: 'after' | 'before' = 'after', start = '') => {
      const pages: Page[] = [];
      for (let at: string | null = start; at !== null;) {
        const place: string = at === '' ? '' : `&${cursor}=${at}`;
        const url = `${path}/versions/1/difference?limit=200&${query}${place}`;
        const { body } = await admin.get<Page>(url);
        pages.push(body);
        at = cursor === 'after' ? body.next : body.previous;
      }
      return {
        last: pages.at(-1)!,
        sizes: pages.map(({ items }) => items.length),
        values: (cursor === 'after' ? pages : pages.toReversed()).flatMap(({ items }) =>
          items.map(({ value }) => value),
        ),
      };
    };
    const changed = await walk('kind=changed');
    expect(changed.values).toEqual(['v31200']);
    expect(changed.sizes.length).toBeLessThan(6);
    expect((await walk('kind=removed')).values).toEqual(of(90_000, 90_020).map(({ value }) => value));
    expect((await walk('kind=added')).values).toEqual(of(100, 12_600).map(({ value }) => value));
    const found = await walk('kind=unchanged&query=v3149');
    expect(found.values).toEqual(of(31_490, 31_500).map(({ value }) => value));
    expect(found.sizes.filter((size) => size === 0).length).toBeGreaterThan(2);
    // From the last page, which may be empty, back to the first one.
    for (const query of ['kind=removed', 'kind=changed', 'kind=added', 'kind=unchanged&query=v3149']) {
      const { values, last } = await walk(query);
      const { values: before } = await walk(query, 'before', last.previous ?? '');
      expect([query, [...before, ...last.items.map(({ value }) => value)]]).toEqual([query, values]);
    }
    const total = async (query: string) =>
      (await pageOf(admin, `${path}/versions/1/difference?limit=1&total=exact&${query}`)).total;
    expect([await total('kind=added'), await total('kind=changed')]).toEqual([10_000, 1]);
    const counts = async () =>
      (await admin.get(`${path}/versions/1/difference?counts=true&limit=1`)).body['counts'];
    const expected = { added: 12_500, changed: 1, removed: 20, unchanged: 11_529 };
    expect([await counts(), await counts()]).toEqual([expected, expected]);
  });

  it('are hidden from other tenants, and unknown ones are a 404', async () => {
    const { admin, path } = await listWith([item('a')]);
    const stranger = harness.newTenant();
    for (const rest of ['/versions/1/items', '/versions/1/difference', '/coverage', '/items?missing=nl']) {
      expect([rest, (await admin.get(`${path}${rest}`)).status]).toEqual([rest, 200]);
      expect([rest, (await stranger.get(`${path}${rest}`)).status]).toEqual([rest, 404]);
    }
    for (const rest of ['/versions/9/items', '/versions/9/difference', '/versions/1/difference?to=9'])
      expect([rest, (await admin.get(`${path}${rest}`)).status]).toEqual([rest, 404]);
    for (const rest of ['/versions/0/items', '/versions/1/difference?to=x', '/versions/1/difference?kind=x'])
      expect([rest, (await admin.get(`${path}${rest}`)).status]).toEqual([rest, 400]);
  });
});
