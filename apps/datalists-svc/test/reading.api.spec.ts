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

describe('items by key', () => {
  const numbers = Array.from({ length: 25 }, (_, n) => String(n).padStart(2, '0'));

  it('are the pages of the list in both directions, with a query too', async () => {
    const { admin, path } = await listWith(numbers.map((n) => item(n)));
    const values = (page: KeyPage<DataListItem>) => page.items.map(({ value }) => value);
    for (const [query, expected] of [
      ['', numbers],
      ['&query=L%201', numbers.slice(10, 20)],
    ] as const) {
      const first = await pageOf(admin, `${path}/items?limit=4&total=exact${query}`);
      expect([first.previous, first.total]).toEqual([null, expected.length]);
      const seen = [...values(first)];
      let page = first;
      while (page.next !== null) {
        page = await pageOf(admin, `${path}/items?limit=4&after=${page.next}${query}`);
        seen.push(...values(page));
      }
      expect(seen).toEqual(expected);
      const back: string[] = [];
      while (page.previous !== null) {
        page = await pageOf(admin, `${path}/items?limit=4&before=${page.previous}${query}`);
        back.unshift(...values(page));
      }
      expect(back).toEqual(expected.slice(0, back.length));
      expect(page.previous).toBeNull();
    }
  });

  it('end with a 409 when the items were replaced, and refuse an invalid cursor', async () => {
    const { admin, id, path } = await listWith(numbers.map((n) => item(n)));
    const { next } = await pageOf(admin, `${path}/items?limit=4`);
    await admin.importItems(id, [item('x')]);
    expect((await admin.get(`${path}/items?limit=4&after=${next}`)).status).toBe(409);
    for (const cursor of ['x', 'W10', 'WyIxIiwtMV0', 'WzEsMl0'])
      expect([cursor, (await admin.get(`${path}/items?after=${cursor}`)).status]).toEqual([cursor, 400]);
    expect((await admin.get(`${path}/items?limit=4&page=1`)).status).toBe(400);
  });
});

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
  const first = await pageOf(admin, `${path}/items?missing=fr&limit=2&total=exact`);
  expect([first.total, await missing(`fr&limit=2&after=${first.next}`)]).toEqual([3, ['d']]);
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
    expect((await admin.get(`${path}/versions/1/items?page=2&pageSize=2`)).body).toMatchObject({
      totalRecords: 3,
      items: [item('c')],
    });

    const difference = async (query: string) =>
      (await admin.get<Record<string, unknown>>(`${path}/versions/${query}`)).body;
    expect(await difference('1/difference?to=2&kind=changed&counts=true')).toEqual({
      items: [{ value: 'a', before: item('a').labels, after: item('a', { nl: 'A' }).labels }],
      next: null,
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
    const walk = async (query: string) => {
      const sizes: number[] = [];
      const values: string[] = [];
      for (let next: string | null = ''; next !== null;) {
        const after: string = next === '' ? '' : `&after=${next}`;
        const { body } = await admin.get<{ items: { value: string }[]; next: string | null }>(
          `${path}/versions/1/difference?limit=200&${query}${after}`,
        );
        sizes.push(body.items.length);
        values.push(...body.items.map(({ value }) => value));
        ({ next } = body);
      }
      return { sizes, values };
    };
    const changed = await walk('kind=changed');
    expect(changed.values).toEqual(['v31200']);
    expect(changed.sizes.length).toBeLessThan(6);
    expect((await walk('kind=removed')).values).toEqual(of(90_000, 90_020).map(({ value }) => value));
    expect((await walk('kind=added')).values).toEqual(of(100, 12_600).map(({ value }) => value));
    const found = await walk('kind=unchanged&query=v3149');
    expect(found.values).toEqual(of(31_490, 31_500).map(({ value }) => value));
    expect(found.sizes.filter((size) => size === 0).length).toBeGreaterThan(2);
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
