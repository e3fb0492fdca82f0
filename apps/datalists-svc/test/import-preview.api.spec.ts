import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startHarness, type Harness } from './harness';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

async function previewOf(bytes: Buffer, type = 'text/csv') {
  const admin = harness.newTenant();
  const { id } = await admin.createList({ availableLocales: ['de'] });
  return admin.request('POST', `/api/data-lists/${id}/import-preview`, bytes, { 'content-type': type });
}

it('of CSV says how it is written, and what its columns are taken for', async () => {
  const text = 'sep=;\r\nValue; Name ;DE;en;fr;\r\nk;Cologne;Köln;"a;b"\r\n;;;;;\r\n';
  const { status, body } = await previewOf(Buffer.from(text, 'latin1'));
  expect([status, body]).toEqual([
    200,
    {
      file: { format: 'csv', encoding: 'windows-1252', separator: ';', sheet: null },
      columns: [
        { name: 'Value', key: 'value' },
        { name: ' Name ', key: null },
        { name: 'DE', key: 'de' },
        { name: 'en', key: 'default' },
        { name: 'fr', key: null },
        { name: '', key: null },
      ],
      rows: [['k', 'Cologne', 'Köln', 'a;b']],
    },
  ]);
});

it('of a workbook names its sheet', async () => {
  const bytes = readFileSync(path.join(__dirname, 'fixtures', 'exceljs.xlsx'));
  const { body } = await previewOf(bytes, xlsx);
  expect(body).toMatchObject({ file: { format: 'xlsx', sheet: 'Orte & Städte' } });
  expect(body['columns']).toEqual([
    { name: 'value', key: 'value' },
    { name: 'default', key: 'default' },
    { name: '', key: null },
    { name: 'de', key: 'de' },
  ]);
  expect((body['rows'] as unknown[])[1]).toEqual(['01067', 'Dresden', '', 'Dresden']);
});

it('has the first 20 rows of a file that is cut', async () => {
  const rows = Array.from({ length: 1_000 }, (_, n) => `v${n},${'x'.repeat(300)}\n`).join('');
  const { body } = await previewOf(Buffer.from(`value,default\n${rows}`.slice(0, 100_000)));
  expect(body['rows']).toHaveLength(20);
  expect((body['rows'] as string[][])[19]).toEqual(['v19', 'x'.repeat(200)]);
});

it.each<[what: string, bytes: string, type: string, status: number]>([
  ['nothing', '', 'text/csv', 200],
  ['no workbook', 'value', xlsx, 400],
  ['JSON', '[]', 'application/json', 415],
])('of %s as %s is %s', async (_what, bytes, type, status) => {
  expect((await previewOf(Buffer.from(bytes), type)).status).toBe(status);
});
