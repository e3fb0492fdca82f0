import type { DataListItem } from '@canvass/contracts';
import { client } from './client';
import { newId, startHarness, type Harness } from './harness';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

/**
 * Texts that have broken services: too big, too deep, not storable, of another type, names of JavaScript's
 * own.
 */
const odd: unknown[] = [
  null,
  true,
  -1,
  1e308,
  9007199254740993,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '%',
  "'; drop table items; --",
  '$1',
  '\\',
  'x'.repeat(5000),
  [],
  [[]],
  {},
  { $gt: '' },
  ['__proto__'],
  JSON.parse('{"__proto__": {"x": 1}}'),
  JSON.parse('['.repeat(60) + ']'.repeat(60)),
];

/** The caller is authorized, so no 401 may hide what the service does with the input, and 403 is a quota. */
const expectOneOf = (statuses: number[], what: unknown, status: number) =>
  expect({ what, status, allowed: statuses.includes(status) }).toEqual({ what, status, allowed: true });

describe('no input gives a 500', () => {
  it('in bodies', async () => {
    const admin = harness.newTenant();
    const { id } = await admin.createList();
    const at = (path: string) => `/api/data-lists/${id}${path}`;
    const shapes: [string, string, (value: unknown) => unknown][] = [
      ['POST', '/api/data-lists', (value) => value],
      ['POST', '/api/data-lists', (name) => ({ name })],
      ['POST', '/api/data-lists', (description) => ({ name: 'x', description })],
      ['POST', '/api/data-lists', (defaultLocale) => ({ name: 'x', defaultLocale })],
      ['POST', '/api/data-lists', (locale) => ({ name: 'x', availableLocales: [locale] })],
      ['PATCH', at(''), (isActive) => ({ isActive })],
      ['POST', at('/locales'), (locale) => ({ locale })],
      ['POST', at('/locales'), (locales) => ({ locales })],
      ['PUT', at('/default-locale'), (defaultLocale) => ({ defaultLocale })],
      ['POST', at('/export'), (format) => ({ format })],
      ['PUT', at('/import'), (items) => ({ items })],
      ['PUT', at('/import'), (item) => ({ items: [item] })],
      ['PUT', at('/import'), (value) => ({ items: [{ value, labels: { default: 'A' } }] })],
      ['PUT', at('/import'), (labels) => ({ items: [{ value: 'a', labels }] })],
      ['PUT', at('/import'), (label) => ({ items: [{ value: 'a', labels: { default: label } }] })],
      [
        'PUT',
        at('/import'),
        (name) => ({ items: [{ value: 'a', labels: { default: 'A', [String(name)]: 'B' } }] }),
      ],
      ['PUT', at('/import'), (csv) => ({ format: 'csv', csv })],
      [
        'PUT',
        at('/import'),
        (cell) => ({ format: 'csv', csv: `value,default\n${String(cell)},${String(cell)}` }),
      ],
      ['PUT', at('/import'), (ensureLocales) => ({ items: [], ensureLocales })],
      ['POST', at('/imports'), (items) => ({ items })],
      ['POST', at('/imports'), (member) => ({ items: [{ value: 'a', [String(member)]: member }] })],
    ];
    for (const [method, path, shape] of shapes) {
      for (const value of odd) {
        const body = shape(value);
        const reply = await admin.request(method, path, body);
        expectOneOf(
          [200, 201, 400, 403, 409, 413, 415],
          [method, path, body, reply.text.slice(0, 300)],
          reply.status,
        );
      }
    }
  });

  it('in queries', async () => {
    const admin = harness.newTenant();
    const { id } = await admin.createList({ availableLocales: ['nl'] });
    await admin.importItems(id, [{ value: 'a', labels: { default: 'A' } }]);
    const formId = newId();
    const token = harness.formToken({ tenantId: admin.tenantId, formId, lists: [id] });
    const runtime = client(harness.service.url, token);
    const publicPath = `/api/public/forms/${formId}/data-lists/${id}`;
    const texts = odd.map((value) =>
      encodeURIComponent(typeof value === 'string' ? value.replace('\ud800', '') : JSON.stringify(value)),
    );
    const urls: [typeof admin, string, string[]][] = [
      [admin, '/api/data-lists', ['search', 'hasLocale', 'page', 'pageSize']],
      [admin, `/api/data-lists/${id}`, ['includeItems']],
      [
        admin,
        `/api/data-lists/${id}/items`,
        ['query', 'matchMode', 'locale', 'includeLocales', 'page', 'pageSize', 'missing', 'explain'],
      ],
      [admin, `/api/data-lists/${id}/imports`, ['total', 'limit', 'after', 'before']],
      [admin, `/api/data-lists/${id}/versions/1/items`, ['total', 'limit', 'after', 'before']],
      [admin, `/api/data-lists/${id}/versions/1/difference`, ['kind', 'query', 'after', 'to', 'counts']],
      [
        runtime,
        `${publicPath}/search`,
        ['query', 'matchMode', 'locale', 'includeLocales', 'skip', 'take', 'page'],
      ],
      [runtime, `${publicPath}/display-values`, ['values', 'locale', 'includeLocales']],
    ];
    for (const [caller, path, names] of urls) {
      expect((await caller.get(path)).status).toBe(200);
      for (const name of names) {
        for (const text of [...texts, '%ff', '%', '%00', '1&' + name + '=2']) {
          const url = `${path}?${name}=${text}`;
          const reply = await caller.get(url);
          expectOneOf([200, 400], [url.slice(0, 200), reply.text.slice(0, 300)], reply.status);
        }
      }
    }
  });

  it('in paths and headers', async () => {
    const admin = harness.newTenant();
    const { id } = await admin.createList();
    for (const text of ['0', '-1', '1e3', '9223372036854775808', '%00', '%ff', 'a/b', '..%2f', "'", '١']) {
      for (const path of [
        `/api/data-lists/${text}`,
        `/api/data-lists/${text}/items`,
        `/api/public/forms/${text}/data-lists/1/search`,
        `/api/data-lists/${id}/locales/${text}`,
      ]) {
        for (const method of ['GET', 'DELETE'])
          expectOneOf([400, 401, 404, 405], [method, path], (await admin.request(method, path)).status);
      }
    }
    for (const value of ['x', '"', '"x"', 'W/"1"', '"1","2"', '*', '"99999999999999999999"']) {
      const reply = await admin.request(
        'PATCH',
        `/api/data-lists/${id}`,
        { name: 'x' },
        { 'if-match': value },
      );
      expectOneOf([200, 400, 412], value, reply.status);
      const { status } = await admin.get(`/api/data-lists/${id}`, { 'if-none-match': value });
      expectOneOf([200, 304, 400], value, status);
    }
  });

  it('and stored values are returned unchanged', async () => {
    const admin = harness.newTenant();
    const { id } = await admin.createList();
    const items: DataListItem[] = [
      '{"a":1}',
      '\\u0000',
      'a\u2028b',
      '\u{10ffff}',
      '\ufffe',
      '\u0001',
      "'",
    ].map((value) => ({
      value,
      labels: { default: value },
    }));
    expect((await admin.importItems(id, items)).status).toBe(200);
    expect((await admin.get<{ items: unknown }>(`/api/data-lists/${id}`)).body.items).toEqual(items);
  });
});
