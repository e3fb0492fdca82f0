import type { DataListItem, DataListView } from '@canvass/contracts';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ImportedList, ImportProblem } from './client';
import { accepted } from './csv-accepted';
import { rejected } from './csv-rejected';
import { startHarness, type Harness } from './harness';
import { acceptedItems } from './json-accepted';
import { rejectedItems } from './json-rejected';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const old: DataListItem[] = [{ value: 'old', labels: { default: 'Old', nl: 'Oud' } }];

async function newList() {
  const admin = harness.newTenant();
  const { id } = await admin.createList({ availableLocales: ['nl'] });
  await admin.importItems(id, old);
  const itemsNow = async () =>
    (await admin.get<DataListView & { items: DataListItem[] }>(`/api/data-lists/${id}`)).body.items;
  const stream = <T = ImportedList>(text: string, type: string, query = '') =>
    admin.request<T>('PUT', `/api/data-lists/${id}/import${query}`, Buffer.from(text), {
      'content-type': type,
    });
  return { admin, id, itemsNow, stream };
}

const ndjson = (items: unknown[]) => `${items.map((item) => JSON.stringify(item)).join('\n')}\n`;

const folder = path.join(path.dirname(require.resolve('csv-spectrum')), 'csvs');
const spectrum = readdirSync(folder).map((file) => ({
  file,
  csv: readFileSync(path.join(folder, file), 'utf8'),
  rows: JSON.parse(readFileSync(path.join(folder, '../json', file.replace(/csv$/, 'json')), 'utf8')) as
    Record<string, string>[] | Record<string, string>,
}));

it('the corpus holds at least 120 CSV and JSON inputs, no two alike', () => {
  const inputs = [
    ...accepted.map(({ csv }) => csv),
    ...rejected.map(({ csv }) => csv),
    ...spectrum.map(({ csv }) => csv),
    ...[...acceptedItems, ...rejectedItems].map(({ items }) => JSON.stringify(items)),
  ];
  expect(new Set(inputs).size).toBe(inputs.length);
  expect(inputs.length).toBeGreaterThanOrEqual(120);
});

describe('items that are accepted', () => {
  it.each(acceptedItems)('$what', async ({ items, stored }) => {
    const { admin, id, itemsNow, stream } = await newList();
    const json = await admin.importItems(id, items);
    expect([json.status, json.text]).toEqual([200, expect.any(String)]);
    expect(await itemsNow()).toEqual(stored);
    await admin.importItems(id, old);
    const streamed = await stream(ndjson(items), 'application/x-ndjson');
    expect([streamed.status, streamed.text]).toEqual([200, expect.any(String)]);
    expect(await itemsNow()).toEqual(stored);
  });
});

describe('items that are rejected', () => {
  it.each(rejectedItems)('$what', async ({ items, faults }) => {
    const { admin, id, itemsNow, stream } = await newList();
    const json = await admin.importItems<ImportProblem>(id, items);
    expect([json.status, json.body.errorCode]).toEqual([400, 'import_rejected']);
    expect(json.body.faults.map(({ line, column, field }) => [line, column, field])).toEqual(
      faults.map(([index, at]) => [null, null, `items[${index}]${at === '' ? '' : `.${at}`}`]),
    );
    const streamed = await stream<ImportProblem>(ndjson(items), 'application/x-ndjson');
    expect([streamed.status, streamed.body.errorCode]).toEqual([400, 'import_rejected']);
    expect(streamed.body.faults.map(({ line, column, field }) => [line, column, field])).toEqual(
      faults.map(([index, at]) => [index + 1, null, at === '' ? null : at]),
    );
    expect(await itemsNow()).toEqual(old);
  });
});

describe('csv-spectrum', () => {
  const locales = ['aa', 'bb', 'cc', 'dd'];

  it.each(spectrum)('$file with its own header is refused by its columns', async ({ csv, file }) => {
    const { itemsNow, stream } = await newList();
    const reply = await stream<ImportProblem>(csv, 'text/csv');
    expect([reply.status, reply.body.errorCode]).toEqual([400, 'import_rejected']);
    expect(reply.body.faults[0]).toMatchObject({ line: 1, column: 1 });
    expect(reply.body.faults.map(({ field }) => field)).toEqual(expect.arrayContaining(['value', 'default']));
    expect([file, await itemsNow()]).toEqual([file, old]);
  });

  // What RFC 4180 does not allow, or what no item can be.
  const faults: Record<string, [number, number, RegExp]> = {
    'location_coordinates.csv': [2, 2, /quote inside an unquoted cell/],
    'empty.csv': [2, 2, /default label is missing/],
    'empty_crlf.csv': [2, 2, /default label is missing/],
  };

  it.each(spectrum)('$file with our header is read as csv-spectrum reads it', async ({ file, csv, rows }) => {
    const { itemsNow, stream } = await newList();
    const expectedRows = [rows].flat();
    const columns = Object.keys(expectedRows[0]!);
    const header = ['value', 'default', ...locales.slice(0, columns.length - 2)].join(',');
    const text = csv.replace(/^[^\r\n]*/, header);
    const reply = await stream<ImportProblem>(text, 'text/csv', `?ensureLocales=${locales.join(',')}`);
    const fault = faults[file];
    if (fault !== undefined) {
      const [line, column, message] = fault;
      expect(reply.body.faults[0]).toMatchObject({ line, column });
      expect(reply.body.faults[0]!.message).toMatch(message);
      return;
    }
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
    const expected = expectedRows.map((row) => {
      const [value, shown, ...others] = columns.map((column) => row[column]!);
      const labels = others.flatMap((label, n) => (label === '' ? [] : [[locales[n]!, label]]));
      return { value, labels: { default: shown, ...Object.fromEntries(labels) } as Record<string, string> };
    });
    expect(await itemsNow()).toEqual(expected);
  });
});
