import type { DataListItem, DataListView } from '@canvass/contracts';
import { client, type Client, type Page } from './client';
import { newId, startHarness, type Harness } from './harness';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

async function listOf(items: DataListItem[], list: Record<string, unknown> = {}) {
  const admin = harness.newTenant();
  const created = await admin.createList(list);
  const imported = await admin.importItems(created.id, items);
  expect([imported.status, imported.text.slice(0, 200)]).toEqual([200, expect.any(String)]);
  return { admin, id: created.id };
}

const item = (value: string, labels: Record<string, string> = {}): DataListItem => ({
  value,
  labels: { default: value, ...labels },
});

const values = (page: Page<DataListItem>) => page.items.map((found) => found.value);
const find = async (admin: Client, id: string, query: Record<string, string>) =>
  values(await admin.find(id, query));

describe('folding', () => {
  const probes: [string, string][] = [
    ['alava', 'Álava'],
    ['merida', 'Mérida'],
    ['istanbul', 'İstanbul'],
    ['ISTANBUL', 'İstanbul'],
    ['cacak', 'Čačak'],
    ['ελλαδα', 'Ελλάδα'],
    ['москва', 'Москва'],
    ['sao tome', 'São Tomé'],
    ['lodz', 'Łódź'],
    ['strasse', 'Straße'],
    ['aero', 'Ærø'],
    ['dakovo', 'Đakovo'],
    ["cote d'ivoire", 'Côte d’Ivoire'],
  ];
  const names = [...new Set(probes.map(([, name]) => name))];

  it('finds every name by its plain spelling, in values and in labels alike', async () => {
    const inValue = await listOf(names.map((name) => ({ value: name, labels: { default: 'x' } })));
    const inLabel = await listOf(names.map((name, n) => ({ value: `v${n}`, labels: { default: name } })));
    for (const [query, name] of probes) {
      for (const matchMode of ['Contains', 'StartsWith', 'Exact']) {
        expect(await find(inValue.admin, inValue.id, { query, matchMode })).toEqual([name]);
        const labelled = await inLabel.admin.find(inLabel.id, { query, matchMode });
        expect(labelled.items.map(({ labels }) => labels['default'])).toEqual([name]);
      }
    }
  });

  it('works the other way round too: accents in the query, none in the item', async () => {
    const { admin, id } = await listOf([item('Lodz'), item('Istanbul')]);
    expect(await find(admin, id, { query: 'ŁÓDŹ' })).toEqual(['Lodz']);
    expect(await find(admin, id, { query: 'İSTANBUL' })).toEqual(['Istanbul']);
  });
});

describe('match modes', () => {
  const items = ['foobar', 'bar', 'barfoo', 'xbar'].map((value) => item(value));

  it.each([
    ['Contains', ['bar', 'barfoo', 'foobar', 'xbar']],
    ['StartsWith', ['bar', 'barfoo']],
    ['Exact', ['bar']],
  ])('%s', async (matchMode, expected) => {
    const { admin, id } = await listOf(items);
    expect(await find(admin, id, { query: 'BAR', matchMode })).toEqual(expected);
  });

  it('treats % _ and \\ literally', async () => {
    const { admin, id } = await listOf([item('50%'), item('500'), item('a_b'), item('axb'), item('c\\d')]);
    expect(await find(admin, id, { query: '%' })).toEqual(['50%']);
    expect(await find(admin, id, { query: '50%', matchMode: 'StartsWith' })).toEqual(['50%']);
    expect(await find(admin, id, { query: 'a_b' })).toEqual(['a_b']);
    expect(await find(admin, id, { query: '\\' })).toEqual(['c\\d']);
  });

  it.each([
    'matchMode=contains',
    'matchMode=Contains&matchMode=Exact',
    'pageSize=201',
    `query=${'x'.repeat(257)}`,
  ])('answers 400 for %s', async (query) => {
    const { admin, id } = await listOf([]);
    expect((await admin.get(`/api/data-lists/${id}/items?${query}`)).status).toBe(400);
  });
});

describe('locales', () => {
  const items = [
    item('DE', { default: 'Germany', nl: 'Duitsland', fr: 'Allemagne', 'nl-be': 'Duutsland' }),
    item('BE', { default: 'Belgium', nl: 'België' }),
  ];
  const list = { availableLocales: ['nl', 'fr', 'nl-be'] };

  it.each([
    ['the value', { query: 'de' }, ['DE']],
    ['the default label without locale', { query: 'germany' }, ['DE']],
    ['no other label without locale', { query: 'allemagne' }, []],
    ['the label of the locale', { query: 'duits', locale: 'nl' }, ['DE']],
    ['not the default label while the item has one of the locale', { query: 'germany', locale: 'nl' }, []],
    ['the default label where the item has none of the locale', { query: 'belgium', locale: 'fr' }, ['BE']],
    ['labels of included locales', { query: 'allem', includeLocales: 'nl,fr' }, ['DE']],
    [
      'the default label when it is included',
      { query: 'germany', locale: 'nl', includeLocales: 'default' },
      ['DE'],
    ],
    ['the default label by the name of the default locale', { query: 'germany', locale: 'EN' }, ['DE']],
    ['a region whatever its case', { query: 'duutsland', locale: 'nl-BE' }, ['DE']],
    ['nothing of unknown locales', { query: 'germany', locale: 'xx', includeLocales: 'yy,!!,zz' }, ['DE']],
  ])('searches %s', async (_what, query, expected) => {
    const { admin, id } = await listOf(items, list);
    expect(await find(admin, id, query as unknown as Record<string, string>)).toEqual(expected);
  });

  it('returns default and the requested labels that an item has', async () => {
    const { admin, id } = await listOf(items, list);
    const labels = async (query: string) => {
      const reply = await admin.get<Page<DataListItem>>(`/api/data-lists/${id}/items?query=de&${query}`);
      return reply.body.items.map((found) => Object.keys(found.labels));
    };
    expect(await labels('')).toEqual([['default']]);
    expect(await labels('locale=nl')).toEqual([['default', 'nl']]);
    expect(await labels('includeLocales=nl&includeLocales=fr,xx')).toEqual([['default', 'nl', 'fr']]);
    expect(await labels('locale=en&includeLocales=en')).toEqual([['default']]);
  });

  it('sorts by the shown label under the collation of its language, then by value', async () => {
    const names = ['Zebra', 'Öl', 'Ol', 'Ähre', 'Ahr', 'zack'];
    const entries = names.map((name, n) => item(`v${n}`, { default: name, sv: name }));
    const { admin, id } = await listOf([...entries, item('u9', { default: 'Ahr' })], {
      defaultLocale: 'de',
      availableLocales: ['sv'],
    });
    const labels = async (query: Record<string, string>, key: string) =>
      (await admin.find(id, query)).items.map((found) => found.labels[key] ?? found.labels['default']);
    expect(await labels({}, 'default')).toEqual(['Ahr', 'Ahr', 'Ähre', 'Ol', 'Öl', 'zack', 'Zebra']);
    expect(await labels({ locale: 'sv' }, 'sv')).toEqual(['Ahr', 'Ahr', 'Ol', 'zack', 'Zebra', 'Ähre', 'Öl']);
    expect((await find(admin, id, {})).slice(0, 2)).toEqual(['u9', 'v4']);
  });
});

describe('pages', () => {
  it('are stable, exact and without duplicates to the end', async () => {
    const { admin, id } = await listOf(
      Array.from({ length: 60 }, (_, n) => item(`v${n}`, { default: `L ${n % 3}` })),
    );
    const seen: string[] = [];
    for (let page = 1; ; page++) {
      const found = await admin.find(id, { query: 'l', page: String(page) });
      expect(found).toMatchObject({ page, pageSize: 25, totalRecords: 60, totalPages: 3 });
      if (found.items.length === 0) break;
      seen.push(...values(found));
    }
    expect([seen.length, new Set(seen).size]).toEqual([60, 60]);
  });

  it('put exact matches first, then prefixes, then the rest', async () => {
    const { admin, id } = await listOf(
      ['a man', 'Manual', 'man', 'human', 'Mân', 'mandate'].map((name) => item(name)),
    );
    expect(await find(admin, id, { query: 'man' })).toEqual([
      'man',
      'Mân',
      'mandate',
      'Manual',
      'a man',
      'human',
    ]);
  });
});

describe('public', () => {
  async function runtime(items: DataListItem[], list: Record<string, unknown> = {}) {
    const { admin, id } = await listOf(items, list);
    const formId = newId();
    const token = harness.formToken({ tenantId: admin.tenantId, formId, lists: [id] });
    const caller = client(harness.service.url, token);
    return { admin, id, caller, path: `/api/public/forms/${formId}/data-lists/${id}` };
  }

  const letters = [...'abcdefghij'].map((letter) => item(letter));

  it('search pages by page and pageSize or by skip and take', async () => {
    const { caller, path } = await runtime(letters);
    const page = async (query: string) =>
      (await caller.get<Page<DataListItem>>(`${path}/search?${query}`)).body;
    expect(await page('')).toMatchObject({ page: 1, pageSize: 25, totalRecords: 10, totalPages: 1 });
    expect(values(await page('page=2&pageSize=4'))).toEqual(['e', 'f', 'g', 'h']);
    expect(values(await page('skip=3&take=2'))).toEqual(['d', 'e']);
    expect(await page('skip=8&take=4')).toMatchObject({
      page: 3,
      totalRecords: 10,
      items: [{ value: 'i' }, { value: 'j' }],
    });
    expect(await page('skip=50')).toMatchObject({ totalRecords: 10, items: [] });
    for (const query of [
      'take=201',
      'take=0',
      'skip=-1',
      'pageSize=201',
      'skip=1&page=2',
      'skip=9999999999',
    ]) {
      expect([query, (await caller.get(`${path}/search?${query}`)).status]).toEqual([query, 400]);
    }
  });

  it('names the wrong parameter', async () => {
    const { caller, path } = await runtime(letters);
    const errorsOf = async (query: string) => {
      const { status, body } = await caller.get(`${path}/search?${query}`);
      expect([status, body['detail']]).toEqual([400, expect.not.stringContaining('body')]);
      return body['errors'];
    };
    const paging = 'use page and pageSize, or skip and take';
    expect(await errorsOf('page=2&take=5')).toEqual({ take: [`cannot be combined with page: ${paging}`] });
    expect(await errorsOf(`query=${'x'.repeat(257)}`)).toEqual({
      query: ['must be at most 256 characters long'],
    });
    const nine = 'includeLocales=aa,bb,cc,dd,ee,ff,gg,hh,ii';
    expect(await errorsOf(`query=a&${nine}`)).toEqual({
      includeLocales: ['must have at most 8 locales with a query'],
    });
    expect((await caller.get(`${path}/search?${nine}`)).status).toBe(200);
    expect(await errorsOf('querry=a')).toEqual({
      querry: ['is not a known parameter; did you mean "query"?'],
    });
  });

  it('reads return an ETag and 304 until the list changes', async () => {
    const { admin, id, caller, path } = await runtime(letters);
    for (const url of [`${path}/search?query=a`, `${path}/display-values?values=a`]) {
      const etag = (await caller.get(url)).headers.get('etag')!;
      const again = await caller.get(url, { 'if-none-match': etag });
      expect([again.status, again.text]).toEqual([304, '']);
      await admin.importItems(id, letters);
      expect((await caller.get(url, { 'if-none-match': etag })).status).toBe(200);
    }
  });

  it('search of an inactive list is a 404; its display values and its management are available', async () => {
    const { admin, id, caller, path } = await runtime(letters);
    await admin.request<DataListView>('PATCH', `/api/data-lists/${id}`, { isActive: false });
    expect((await caller.get(`${path}/search`)).status).toBe(404);
    expect((await caller.get(`${path}/display-values?values=a`)).body).toEqual([letters[0]]);
    expect((await admin.find(id, {})).totalRecords).toBe(10);
  });

  it('display values come in the order asked for, commas or not, unknown ones omitted', async () => {
    const comma = item('Korea, South', { default: 'South Korea', nl: 'Zuid-Korea' });
    const { caller, path } = await runtime([...letters, comma], { availableLocales: ['nl'] });
    const labelsOf = async (query: string) => {
      const { body } = await caller.get<DataListItem[]>(`${path}/display-values?${query}`);
      return body.map((found) => found.value);
    };
    expect(await labelsOf('values=c,a,zz')).toEqual(['c', 'a']);
    expect(await labelsOf('values=b&values=a&values=b')).toEqual(['b', 'a']);
    expect(await labelsOf(`values=${encodeURIComponent('Korea, South')}`)).toEqual(['Korea, South']);
    expect(await labelsOf('')).toEqual([]);
    expect(await labelsOf('values=A')).toEqual([]);
    const { body } = await caller.get<DataListItem[]>(
      `${path}/display-values?values=Korea,%20South&includeLocales=nl`,
    );
    expect(body).toEqual([{ value: 'Korea, South', labels: { default: 'South Korea', nl: 'Zuid-Korea' } }]);
    const both = [item('a,b', { default: 'AB' }), ...letters];
    const other = await runtime(both);
    const valuesOf = async (query: string) => {
      const reply = await other.caller.get<DataListItem[]>(`${other.path}/display-values?${query}`);
      return reply.body.map((found) => found.value);
    };
    expect(await valuesOf('values=a%2Cb')).toEqual(['a,b']);
    expect(await valuesOf('values=a,b')).toEqual(['a,b']);
    expect(await valuesOf('values=b,a')).toEqual(['b', 'a']);
    expect(await valuesOf('values=a&values=b')).toEqual(['a', 'b']);
    const many = Array.from({ length: 201 }, (_, n) => `v${n}`).join(',');
    expect((await caller.get(`${path}/display-values?values=${many}`)).status).toBe(400);
  });
});
