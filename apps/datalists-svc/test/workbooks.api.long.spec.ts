import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ImportProblem } from './client';
import { startHarness, type Harness } from './harness';
import { reports } from './workbook-reports';
import { header, row, text, workbookOf, zipOf, type Parts } from './workbooks';
import { rejected } from './workbooks-rejected';

/** Workbooks (`.xlsx`) as programs write them, and broken ones. */

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
interface Imported {
  import: { rows: number; file: unknown };
}

async function newList() {
  const admin = harness.newTenant();
  const { id } = await admin.createList({ availableLocales: ['de'] });
  const at = `/api/data-lists/${id}`;
  const send = <T>(method: string, to: string, bytes: Buffer) =>
    admin.request<T>(method, `${at}/${to}`, bytes, { 'content-type': xlsx });
  const items = async () => (await admin.get<{ items: { value: string; labels: object }[] }>(at)).body.items;
  return { admin, at, send, items };
}

/** What is read of the rows of a sheet below `value,default`. */
async function readOf(parts: Parts | Buffer): Promise<[value: string, label: unknown][]> {
  const { send, items } = await newList();
  const bytes = Buffer.isBuffer(parts) ? parts : workbookOf(parts);
  const made = await send<Imported>('PUT', 'import', bytes);
  expect([made.status, made.body]).toEqual([200, expect.anything()]);
  return (await items()).map(({ value, labels }) => [value, (labels as { default: unknown }).default]);
}

async function faultsOf(bytes: Buffer) {
  const { send, items } = await newList();
  const { status, body } = await send<ImportProblem>('PUT', 'import', bytes);
  expect([status, await items()]).toEqual([400, []]);
  return body.faults;
}

it.each(['libreoffice', 'exceljs', 'sheetjs'])('reads what %s writes', async (writer) => {
  const bytes = readFileSync(path.join(__dirname, 'fixtures', `${writer}.xlsx`));
  const { admin, at, send, items } = await newList();
  const file = { format: 'xlsx', encoding: null, separator: null, sheet: 'Orte & Städte' };
  const made = await send<Imported>('PUT', 'import', bytes);
  expect([made.status, made.body.import]).toEqual([200, expect.objectContaining({ rows: 8, file })]);
  expect(await items()).toEqual([
    { value: 'GRZ', labels: { default: 'Graz', de: 'Graz' } },
    { value: '01067', labels: { default: 'Dresden', de: 'Dresden' } },
    { value: '2026-11-28', labels: { default: 'a day' } },
    { value: '2026-11-28T17:30:00', labels: { default: 'a time' } },
    { value: 'TRUE', labels: { default: 'a truth' } },
    { value: '0.3', labels: { default: 'a sum' } },
    { value: 'KLN', labels: { default: 'Cologne', de: 'Köln' } },
    { value: '12345678901', labels: { default: 'a number < two & more' } },
  ]);
  const staged = await send<{ id: string }>('POST', 'imports', bytes);
  expect(staged.body).toMatchObject({
    state: 'ready',
    format: 'xlsx',
    bytes: bytes.length,
    file,
    difference: { unchanged: 8 },
  });
  const applied = await admin.request<Imported>('POST', `${at}/imports/${staged.body.id}/apply`);
  expect(applied.body.import.file).toEqual(file);
});

it('takes the names of a caller', async () => {
  const { send, items } = await newList();
  const columns = { Code: 'value', Ort: 'default', Notiz: null };
  const rows =
    row(text('Code'), text('Ort'), text('Notiz')) + row(text('a'), text('A'), '<c t="e"><v>#N/A</v></c>');
  const query = `columns=${encodeURIComponent(JSON.stringify(columns))}`;
  expect((await send('PUT', `import?${query}`, workbookOf({ rows }))).status).toBe(200);
  expect(await items()).toEqual([{ value: 'a', labels: { default: 'A' } }]);
});

it.each(reports)('reads as the program of %s', async (_report, parts, items) => {
  expect(await readOf(parts)).toEqual(items);
});

describe('what cannot be imported', () => {
  it('is named by sheet, row and column', async () => {
    const workbook = '<sheets><sheet name="Länder 2" sheetId="1" r:id="worksheet"/></sheets>';
    const cells = (...own: string[]) => row(...own);
    const rows =
      header +
      cells(text('a')) +
      cells('<c t="e"><v>#REF!</v></c>', text('B')) +
      cells(text('c'), '<c><f>1+1</f></c>') +
      cells(text('d'), text('D'), '', text('lost')) +
      cells(text('e'), text('E')) +
      cells(text('e'), text('E'));
    expect(await faultsOf(workbookOf({ workbook, rows }))).toEqual(
      [
        [2, 2, 'default', 'default_missing', "'Länder 2'!B2: The default label is missing."],
        [3, 1, 'value', 'cell_error', "'Länder 2'!A3: The cell has the error #REF!."],
        [4, 2, 'default', 'cell_error', expect.stringContaining("'Länder 2'!B4: The formula has no stored")],
        [5, 3, null, 'cell_count', "'Länder 2'!C5: The row has text in a column without a name."],
        [7, 1, 'value', 'value_repeated', expect.stringContaining('is already used by row 6')],
      ].map(([line, column, field, code, message]) => ({ line, column, field, code, message })),
    );
  });

  it.each(rejected)('is %s', async (_what, bytes, code, message) => {
    expect(await faultsOf(bytes)).toEqual([
      expect.objectContaining({ code, message: expect.stringMatching(message) as string }),
    ]);
  });

  it('is an archive with too many files', async () => {
    const parts = Array.from({ length: 10_001 }, (_, n) => ({ name: `${n}`, content: '', isStored: true }));
    expect((await faultsOf(zipOf(parts)))[0]).toMatchObject({ code: 'not_xlsx' });
  });

  it('is a compressed body, and a workbook in a form of another type', async () => {
    const { admin, at } = await newList();
    const bytes = workbookOf({ rows: header });
    const gzip = { 'content-type': xlsx, 'content-encoding': 'gzip' };
    expect((await admin.request('PUT', `${at}/import`, bytes, gzip)).status).toBe(415);
    const other = { 'content-type': 'application/vnd.ms-excel' };
    expect((await admin.request('PUT', `${at}/import`, bytes, other)).status).toBe(415);
  });

  it('never fails the service, whatever bytes are changed', async () => {
    const { send } = await newList();
    const good = readFileSync(path.join(__dirname, 'fixtures', 'exceljs.xlsx'));
    for (let n = 0; n < 150; n++) {
      const bytes = Buffer.from(good);
      for (let at = n * 7; at < bytes.length; at += 997) bytes[at] = (bytes[at]! + 1 + n) % 256;
      expect([200, 400]).toContain((await send('PUT', 'import?dryRun=true', bytes)).status);
    }
  });
});

describe('an exported workbook', () => {
  it('is imported without a change', async () => {
    const admin = harness.newTenant();
    const { id } = await admin.createList({ availableLocales: ['de'] });
    const tricky = [
      { value: ' a', labels: { default: 'one\r\ntwo\n', de: '<&>"_x000D_' } },
      { value: '=1+1', labels: { default: '\ufeffשלום 😀' } },
      { value: '0049', labels: { default: '186512345677000576', de: 'true' } },
    ];
    await admin.importItems(id, tricky);
    const at = `/api/data-lists/${id}`;
    const reply = await fetch(`${harness.service.url}${at}/export`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${harness.own.token({ tid: admin.tenantId, roles: ['Admin'] })}`,
      },
      body: JSON.stringify({ format: 'xlsx' }),
    });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, xlsx]);
    const bytes = Buffer.from(await reply.arrayBuffer());
    const again = await admin.request<Imported>('PUT', `${at}/import`, bytes, { 'content-type': xlsx });
    expect(again.body.import).toMatchObject({ rows: 3, unchanged: 3, file: { sheet: 'Items' } });
  });
});
