import type { DataListItem, DataListView } from '@canvass/contracts';
import { eventually } from '@canvass/testing';
import type { ImportProblem } from './client';
import { accepted } from './csv-accepted';
import { rejected } from './csv-rejected';
import { startHarness, type Harness } from './harness';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

type WithItems = DataListView & { items: DataListItem[] };

const old = [{ value: 'old', labels: { default: 'Old', nl: 'Oud' } }];

async function newList() {
  const admin = harness.newTenant();
  const { id } = await admin.createList({ availableLocales: ['nl'] });
  await admin.importItems(id, old);
  const read = async () => (await admin.get<WithItems>(`/api/data-lists/${id}`)).body;
  return { admin, id, read };
}

const streamedCsv = (csv: string | Uint8Array, query = ''): [string, unknown, Record<string, string>] => [
  `import${query}`,
  typeof csv === 'string' ? Buffer.from(csv) : csv,
  { 'content-type': 'text/csv' },
];

describe('CSV that is accepted', () => {
  it.each(accepted)('$what', async ({ csv, items }) => {
    const { admin, id, read } = await newList();
    const expected = items.map(([value, labels]) => ({ value, labels }));
    const reply = await admin.importCsv(id, csv);
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
    expect((await read()).items).toEqual(expected);
    const [path, body, headers] = streamedCsv(csv);
    await admin.importItems(id, old);
    const streamed = await admin.request('PUT', `/api/data-lists/${id}/${path}`, body, headers);
    expect([streamed.status, streamed.text]).toEqual([200, expect.any(String)]);
    expect((await read()).items).toEqual(expected);
  });
});

describe('CSV that is rejected', () => {
  it.each(rejected)('$what', async ({ csv, faults }) => {
    const { admin, id, read } = await newList();
    const before = await read();
    const [path, body, headers] = streamedCsv(csv);
    const replies = [
      await admin.importCsv<ImportProblem>(id, csv),
      await admin.request<ImportProblem>('PUT', `/api/data-lists/${id}/${path}`, body, headers),
    ];
    for (const reply of replies) {
      expect([reply.status, reply.body.errorCode]).toEqual([400, 'import_rejected']);
      expect(reply.body.faults.map(({ line, column, field }) => [line, column, field])).toEqual(
        faults.map(([line, column, field]) => [line, column, field]),
      );
      for (const [index, [, , , message]] of faults.entries()) {
        expect(reply.body.faults[index]!.message).toMatch(message);
      }
    }
    expect(await read()).toEqual(before);
  });

  it.each([
    [
      'Windows-1252 after UTF-8',
      Buffer.from('value,default\na,\u00c3\u00b6\nk,K\u00f6ln\n', 'latin1'),
      /UTF-8/,
    ],
    ['a character cut off at the end', Buffer.from('value,default\nk,K\u00f6').subarray(0, -1), /UTF-8/],
  ])('a file that is %s', async (_what, bytes, message) => {
    const { admin, id, read } = await newList();
    const [path, body, headers] = streamedCsv(bytes);
    const reply = await admin.request<ImportProblem>('PUT', `/api/data-lists/${id}/${path}`, body, headers);
    expect([reply.status, reply.body.errorCode]).toEqual([400, 'import_rejected']);
    expect(reply.body.faults[0]!.message).toMatch(message);
    expect((await read()).items).toEqual(old);
  });

  it('is reported during a long upload, and the connection stays usable', async () => {
    const { admin, id, read } = await newList();
    const bytes = Buffer.from(`value,name\n${'a,b\n'.repeat(7_000_000)}`);
    const [path, body, headers] = streamedCsv(bytes);
    const reply = await admin.request<ImportProblem>('PUT', `/api/data-lists/${id}/${path}`, body, headers);
    expect([reply.status, reply.body.faults.map((fault) => fault.field)]).toEqual([400, ['name', 'default']]);
    expect((await read()).items).toEqual(old);
  });

  it('lists 100 faults and stops there', async () => {
    const { admin, id } = await newList();
    const rows = Array.from({ length: 300 }, (_, n) => `v${n},`).join('\n');
    const { body } = await admin.importCsv<ImportProblem>(id, `value,default\n${rows}`);
    expect(body.faults).toHaveLength(100);
    expect(body.faults[99]!.line).toBe(101);
  });
});

describe('JSON', () => {
  it.each([
    ['nothing', undefined],
    ['an empty object', {}],
    ['items that are no list', { items: {} }],
    ['csv without its format', { csv: 'value,default' }],
    ['format csv without csv', { format: 'csv', items: [] }],
    ['an unknown format', { format: 'xml', items: [] }],
    ['an invalid locale', { items: [], ensureLocales: ['e'] }],
    ['default as a locale', { items: [], ensureLocales: ['default'] }],
    ['a character that cannot be stored', { items: [{ value: 'a\u0000', labels: { default: 'A' } }] }],
    ['a lone surrogate', { items: [{ value: 'a', labels: { default: '\ud800' } }] }],
    ['an unknown field', { items: [], mode: 'append' }],
  ])('body of %s is a 400', async (_what, body) => {
    const { admin, id, read } = await newList();
    const reply = await admin.request('PUT', `/api/data-lists/${id}/import`, body);
    expect([reply.status, reply.body['errorCode']]).toEqual([400, 'validation_failed']);
    expect((await read()).items).toEqual(old);
  });

  it('empty labels clear their key, culture keys are normalised', async () => {
    const { admin, id, read } = await newList();
    await admin.importItems(id, [
      { value: 'a', labels: { EN: 'A', ' NL ': 'Aa' } },
      { value: 'b', labels: { default: 'B', nl: '' } },
    ]);
    expect((await read()).items).toEqual([
      { value: 'a', labels: { default: 'A', nl: 'Aa' } },
      { value: 'b', labels: { default: 'B' } },
    ]);
  });
});

describe('an import', () => {
  it('returns the list without items and a summary of changes', async () => {
    const { admin, id } = await newList();
    const text = (value: string, label: string) => ({ value, labels: { default: label } });
    await admin.importItems(id, [text('a', 'A'), text('b', 'B'), text('c', 'C')]);
    const reply = await admin.importItems(id, [
      text('c', 'C'),
      text('b', 'changed'),
      text('d', 'D'),
      text('e', 'E'),
    ]);
    expect(reply.body).toMatchObject({ id, itemsCount: 4, revision: '4' });
    expect(reply.body).not.toHaveProperty('items');
    expect(reply.body.import).toEqual({
      rows: 4,
      added: 2,
      changed: 1,
      removed: 1,
      unchanged: 1,
      durationMs: expect.any(Number) as number,
      file: null,
    });
    expect(reply.headers.get('etag')).toBe('"4"');
  });

  it('adds ensureLocales before it checks labels, and not when it is rejected', async () => {
    const { admin, id, read } = await newList();
    await admin.importCsv(id, 'value,default,fr\na,,B\n', { ensureLocales: ['FR'] });
    expect((await read()).availableLocales).toEqual(['nl']);
    await admin.importCsv(id, 'value,default,fr\na,A,B\n', { ensureLocales: ['FR', 'nl', 'fr', 'en'] });
    expect((await read()).availableLocales).toEqual(['nl', 'fr', 'en']);
    await admin.request(
      'PUT',
      `/api/data-lists/${id}/import?ensureLocales=de,ES`,
      Buffer.from('value,default,es\n'),
      {
        'content-type': 'text/csv; charset=utf-8',
      },
    );
    expect((await read()).availableLocales).toEqual(['nl', 'fr', 'en', 'de', 'es']);
  });

  it('a dry run returns the difference and writes nothing', async () => {
    const { admin, id, read } = await newList();
    const before = await read();
    const body = { items: [{ value: 'new', labels: { default: 'New' } }], ensureLocales: ['fr'] };
    const reply = await admin.request('PUT', `/api/data-lists/${id}/import?dryRun=true`, body);
    expect(reply.body).toMatchObject({
      import: { rows: 1, added: 1, changed: 0, removed: 1, unchanged: 0, file: null },
      difference: { added: body.items, changed: [], removed: old, unchanged: [] },
    });
    expect(await read()).toEqual(before);
  });

  it('is conditional on If-Match', async () => {
    const { admin, id } = await newList();
    const put = (revision: string) =>
      admin.request('PUT', `/api/data-lists/${id}/import`, { items: [] }, { 'if-match': `"${revision}"` });
    expect((await put('1')).status).toBe(412);
    expect((await put('2')).status).toBe(200);
  });

  it('replaces everything at once: readers see the old items or the new', async () => {
    const { admin, id } = await newList();
    const version = (letter: string) =>
      Array.from({ length: 3000 }, (_, n) => ({ value: `${letter}${n}`, labels: { default: letter } }));
    await admin.importItems(id, version('a'));
    let done = false;
    const seen = new Set<string>();
    const writing = (async () => {
      // On, where a slow reader has not met two of them yet.
      for (let n = 1; n <= 3 || seen.size < 2; n += 1)
        await admin.importItems(id, version(String.fromCharCode(97 + (n % 26))));
      done = true;
    })();
    while (!done) {
      const page = await admin.find(id, { pageSize: '200', page: '5' });
      expect(page.totalRecords).toBe(3000);
      const letters = new Set(page.items.map((found) => found.labels['default']));
      expect(letters.size).toBe(1);
      seen.add([...letters][0]!);
    }
    await writing;
  });

  it('waits for another import of the same list, so that one of them wins completely', async () => {
    const { admin, id, read } = await newList();
    const items = (letter: string) =>
      Array.from({ length: 500 }, (_, n) => ({ value: `${letter}${n}`, labels: { default: letter } }));
    const replies = await Promise.all([...'abcdef'].map((letter) => admin.importItems(id, items(letter))));
    expect(replies.map((reply) => reply.status)).toEqual(Array(6).fill(200));
    const { items: stored, revision } = await read();
    expect([stored.length, new Set(stored.map((item) => item.labels['default'])).size]).toEqual([500, 1]);
    expect(revision).toBe('8');
  });

  it('that is aborted changes nothing', async () => {
    const { admin, id, read } = await newList();
    const before = await read();
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from('value,default\n'));
        controller.enqueue(Buffer.from(Array.from({ length: 5000 }, (_, n) => `v${n},L\n`).join('')));
      },
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        controller.error(new Error('the client went away'));
      },
    });
    await expect(
      admin.request('PUT', `/api/data-lists/${id}/import`, broken, { 'content-type': 'text/csv' }),
    ).rejects.toThrow();
    // The list is not left locked either.
    await eventually(
      async () => (await admin.request('PATCH', `/api/data-lists/${id}`, { name: 'X' })).status === 200,
    );
    expect((await read()).items).toEqual(before.items);
  });

  it.each(['application/xml', 'text/plain', 'text/csv; charset=koi8-r'])('of %s is a 415', async (type) => {
    const { admin, id } = await newList();
    const reply = await admin.request('PUT', `/api/data-lists/${id}/import`, Buffer.from('value,default'), {
      'content-type': type,
    });
    expect(reply.status).toBe(415);
  });
});

it.each([
  ['CSV', { csv: 'value,default\na,A\n' }],
  [' Json ', { items: [{ value: 'a', labels: { default: 'A' } }] }],
  ['', { items: [{ value: 'a', labels: { default: 'A' } }] }],
  [null, { items: [{ value: 'a', labels: { default: 'A' } }] }],
])('takes the format %j, and null for the members that it has no use for', async (format, content) => {
  const { admin, id, read } = await newList();
  const body = { csv: null, items: null, ensureLocales: null, format, ...content };
  const reply = await admin.request('PUT', `/api/data-lists/${id}/import`, body);
  expect([reply.status, (await read()).items]).toEqual([200, [{ value: 'a', labels: { default: 'A' } }]]);
});
