import type { DataListItem } from '@canvass/contracts';
import { parse } from 'csv-parse/sync';
import { isBlank } from '@canvass/service-kit';
import fc from 'fast-check';
import { startHarness, type Harness } from './harness';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

async function listOf(items: DataListItem[], list: Record<string, unknown> = {}) {
  const admin = harness.newTenant();
  const { id } = await admin.createList({
    name: 'Ländër: "2"',
    availableLocales: ['nl', 'en', 'fr'],
    ...list,
  });
  const reply = await admin.importItems(id, items);
  expect([reply.status, reply.text.slice(0, 300)]).toEqual([200, expect.any(String)]);
  const path = `/api/data-lists/${id}/export`;
  return { admin, id, exported: (body?: object) => admin.request('POST', path, body) };
}

const tricky: DataListItem[] = [
  { value: 'b,1', labels: { default: 'say "hi"', nl: 'zeg\r\n"hoi"' } },
  { value: ' a', labels: { default: '\ufeffשלום', fr: 'e\u0301 \n' } },
  { value: '=1+1', labels: { default: "'x" } },
];

it('returns CSV by default: columns in the order of the catalogue, rows in the order of import', async () => {
  const { exported } = await listOf(tricky);
  const reply = await exported();
  expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(reply.headers.get('content-disposition')).toBe(
    `attachment; filename="Lander 2.csv"; filename*=UTF-8''L%C3%A4nd%C3%ABr%202.csv`,
  );
  expect(reply.text).toBe(
    'value,default,nl,fr\r\n' +
      '"b,1","say ""hi""","zeg\r\n""hoi""",\r\n' +
      '" a","\ufeffשלום",,"e\u0301 \n"\r\n' +
      "=1+1,'x,,\r\n",
  );
});

it('escapes what a spreadsheet would run, if asked to', async () => {
  const { exported } = await listOf([
    { value: '=1+1', labels: { default: '@x', nl: 'x;+1', fr: '＝1' } },
    { value: 'a-b', labels: { default: 'x=1' } },
  ]);
  expect((await exported({ formulas: 'escape' })).text).toBe(
    "value,default,nl,fr\r\n'=1+1,'@x,x;'+1,'＝1\r\na-b,x=1,,\r\n",
  );
  expect((await exported({ formulas: 'keep' })).text).toContain('=1+1,@x,x;+1,＝1');
  expect((await exported({ formulas: 'hide' })).status).toBe(400);
});

it('has a mark, another separator and ids as text, if asked to', async () => {
  const { exported } = await listOf([{ value: '0049', labels: { default: 'a;b', nl: '123456789012' } }]);
  const body = { bom: true, separator: ';', idsAsText: true };
  expect((await exported(body)).text.replace('\ufeff', '')).toBe(
    'value;default;nl;fr\r\n"=""0049""";"a;b";"=""123456789012""";\r\n',
  );
  expect((await exported({ separator: ':' })).status).toBe(400);
});

it.each([
  ['look-alikes of quote, slash and backslash', 'a＂; x=＂b ／c＼d', 'a _ x= b c d'],
  ['a name of nothing else', '／＼', 'export'],
])('names the file without %s', async (_what, name, expected) => {
  const { exported } = await listOf([], { name });
  const disposition = (await exported()).headers.get('content-disposition')!;
  expect(
    /^attachment; filename="([^"\\/]*)\.csv"; filename\*=UTF-8''[^"; ]+\.csv$/.exec(disposition)?.[1],
  ).toBe(expected);
});

it('returns JSON as an array of { value, labels }', async () => {
  const { exported } = await listOf(tricky);
  const reply = await exported({ format: 'json' });
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(reply.headers.get('content-disposition')).toMatch(/\.json$/);
  expect(reply.body).toEqual(tricky);
});

it('returns an empty list as a header and as an empty array', async () => {
  const { exported } = await listOf([]);
  expect((await exported({})).text).toBe('value,default,nl,fr\r\n');
  expect((await exported({ format: 'json' })).body).toEqual([]);
  expect((await exported({ format: 'xls' })).status).toBe(400);
});

it.each([['CSV'], [' csv '], [''], ['  '], [null]])('accepts the format %j for csv', async (format) => {
  const { exported } = await listOf([]);
  const reply = await exported({ format });
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
});

it('of many items is complete', async () => {
  const items = Array.from({ length: 4321 }, (_, n) => ({ value: `v${n}`, labels: { default: `L${n}` } }));
  const { exported } = await listOf(items);
  expect((await exported({ format: 'json' })).body).toEqual(items);
  expect((await exported()).text.trimEnd().split('\r\n')).toHaveLength(4322);
});

describe('export, import and export again', () => {
  const character = fc.constantFrom(...',"\r\n\t ;\\\'=é\u0301שا😀', 'ł', 'a', 'B', '\ufeff', '\u2028', '0');
  const text = fc.array(character, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));
  const shown = text.filter((label) => !isBlank(label));
  const items = fc.uniqueArray(
    fc.record({
      value: shown,
      labels: fc.record({ default: shown, nl: text, fr: text }, { requiredKeys: ['default'] }),
    }),
    { selector: (item) => item.value, maxLength: 30 },
  );

  /** A blank label counts as absent. */
  const kept = (label = '') => (isBlank(label) ? '' : label);

  it('are byte-identical in every format for any text, and a second CSV parser reads the same', async () => {
    const { admin, id, exported } = await listOf([]);
    await fc.assert(
      fc.asyncProperty(items, async (list) => {
        const imported = await admin.importItems(id, list);
        expect([imported.status, imported.text.slice(0, 300)]).toEqual([200, expect.any(String)]);
        const csv = (await exported()).text;
        expect(parse(csv)).toEqual([
          ['value', 'default', 'nl', 'fr'],
          ...list.map(({ value, labels }) => [
            value,
            ...['default', 'nl', 'fr'].map((key) => kept(labels[key as 'nl'])),
          ]),
        ]);
        const json = (await exported({ format: 'json' })).text;
        const ndjson = (await exported({ format: 'ndjson' })).text;
        const again = await admin.importCsv(id, csv);
        expect(again.body.import).toMatchObject({ added: 0, changed: 0, removed: 0, unchanged: list.length });
        expect((await exported()).text).toBe(csv);
        await admin.importItems(id, JSON.parse(json) as unknown[]);
        expect((await exported()).text).toBe(csv);
        const headers = { 'content-type': 'text/csv' };
        await admin.request('PUT', `/api/data-lists/${id}/import`, Buffer.from(csv), headers);
        expect((await exported({ format: 'json' })).text).toBe(json);
        await admin.importItems(id, []);
        const lines = { 'content-type': 'application/x-ndjson' };
        await admin.request('PUT', `/api/data-lists/${id}/import`, Buffer.from(ndjson), lines);
        expect((await exported({ format: 'ndjson' })).text).toBe(ndjson);
        expect((await exported()).text).toBe(csv);
      }),
      { numRuns: 25, seed: 20261121 },
    );
  });
});
