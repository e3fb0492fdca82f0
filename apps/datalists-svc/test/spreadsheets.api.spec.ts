import type { ImportProblem } from './client';
import { startHarness, type Harness } from './harness';

/** Files as spreadsheets save them, sent as bytes: their encoding, separator and names. */

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const cities = [
  { value: 'GRZ', labels: { default: 'Graz', de: 'Graz' } },
  { value: 'KLN', labels: { default: 'Cologne', de: 'Köln' } },
];
const text = (separator: string, eol = '\r\n', header = ['value', 'default', 'de']) =>
  [header, ['GRZ', 'Graz', 'Graz'], ['KLN', 'Cologne', 'Köln']]
    .map((cells) => cells.join(separator) + eol)
    .join('');
const utf16 = (content: string) => Buffer.from(content, 'utf16le');

async function newList() {
  const admin = harness.newTenant();
  const { id } = await admin.createList({ availableLocales: ['de'] });
  const path = `/api/data-lists/${id}`;
  const send = <T>(method: string, to: string, bytes: Buffer, type = 'text/csv') =>
    admin.request<T>(method, `${path}/${to}`, bytes, { 'content-type': type });
  const items = async () => (await admin.get<{ items: unknown[] }>(path)).body.items;
  return { admin, path, send, items };
}

interface Imported {
  import: { rows: number; file: unknown };
}

it.each<[what: string, bytes: Buffer, encoding: string, separator: string, type?: string]>([
  ['German Excel, CSV', Buffer.from(text(';'), 'latin1'), 'windows-1252', ';'],
  ['German Excel, CSV UTF-8', Buffer.from(`\ufeff${text(';')}`), 'utf-8', ';'],
  ['English Excel, CSV', Buffer.from(text(','), 'latin1'), 'windows-1252', ','],
  ['Excel, Unicode text', utf16(`\ufeff${text('\t')}`), 'utf-16le', '\t'],
  ['Unicode text without a mark', utf16(text('\t')), 'utf-16le', '\t'],
  ['Unicode text, big endian', utf16(`\ufeff${text('\t')}`).swap16(), 'utf-16be', '\t'],
  ['big endian without a mark', utf16(text(',')).swap16(), 'utf-16be', ','],
  ['Excel for Mac', Buffer.from(text(';', '\r'), 'latin1'), 'windows-1252', ';'],
  ['LibreOffice with pipes', Buffer.from(text('|', '\n')), 'utf-8', '|'],
  ['a separator line', Buffer.from(`sep=;\r\n${text(';')}`, 'latin1'), 'windows-1252', ';'],
  ['a separator line in UTF-16', utf16(`\ufeffsep=\t\r\n${text('\t')}`), 'utf-16le', '\t'],
  [
    'emptied rows and columns',
    Buffer.from(text(';').replaceAll('\r\n', ';;\r\n') + ';;;;\r\n'.repeat(60)),
    'utf-8',
    ';',
  ],
  [
    'a charset that is named',
    Buffer.from(text(','), 'latin1'),
    'windows-1252',
    ',',
    'text/csv; charset=windows-1252',
  ],
])('%s', async (_what, bytes, ...[encoding, separator, type]) => {
  const { path, admin, send, items } = await newList();
  const file = { format: 'csv', encoding, separator, sheet: null };
  const made = await send<Imported>('PUT', 'import', bytes, type);
  expect([made.status, made.body.import]).toEqual([200, expect.objectContaining({ rows: 2, file })]);
  expect(await items()).toEqual(cities);
  const staged = await send<{ id: string; state: string; file: unknown }>('POST', 'imports', bytes, type);
  expect(staged.body).toMatchObject({
    state: 'ready',
    file,
    difference: { unchanged: 2 },
  });
  const applied = await admin.request<Imported>('POST', `${path}/imports/${staged.body.id}/apply`);
  expect(applied.body.import.file).toEqual(file);
});

it('is decided by the first letter outside ASCII, wherever the pieces of the upload end', async () => {
  const filler = Array.from({ length: 30_000 }, (_, n) => `v${n},x\n`).join('');
  for (const encoding of ['latin1', 'utf8'] as const) {
    const { send } = await newList();
    const bytes = Buffer.from(`value,default\n${filler}k,Köln\n`, encoding);
    const made = await send<Imported>('PUT', 'import', bytes);
    expect(made.body.import).toMatchObject({
      rows: 30_001,
      file: { encoding: encoding === 'utf8' ? 'utf-8' : 'windows-1252', separator: ',' },
    });
  }
});

describe('names of the caller', () => {
  const columns = { Code: 'value', Name: 'default', Deutsch: 'de', Notiz: null };
  const bytes = Buffer.from(
    'CODE;Name;Deutsch;Notiz\r\nGRZ;Graz;Graz;\r\nKLN;Cologne;Köln;am Rhein\r\n',
    'latin1',
  );

  it('stand for those of the format, in a query and in a body', async () => {
    const { admin, path, send, items } = await newList();
    const query = `columns=${encodeURIComponent(JSON.stringify(columns))}`;
    expect((await send('PUT', `import?${query}`, bytes)).status).toBe(200);
    expect(await items()).toEqual(cities);
    const staged = await send('POST', `imports?${query}`, bytes);
    expect(staged.body).toMatchObject({ state: 'ready', difference: { unchanged: 2 } });
    const csv = bytes.toString('latin1');
    const body = { format: 'csv', csv, columns };
    expect((await admin.request<Imported>('PUT', `${path}/import`, body)).body.import).toMatchObject({
      unchanged: 2,
      file: { encoding: null, separator: ';' },
    });
  });

  it('are asked for where the header has none of the format', async () => {
    const { send } = await newList();
    const { status, body } = await send<ImportProblem>('PUT', 'import', bytes);
    expect(status).toBe(400);
    expect(body.faults.map(({ code, field }) => [code, field])).toEqual([
      ['locale_unknown', 'code'],
      ['locale_unknown', 'name'],
      ['locale_unknown', 'deutsch'],
      ['locale_unknown', 'notiz'],
      ['column_missing', 'value'],
      ['column_missing', 'default'],
    ]);
    expect(body.faults[4]!.message).toContain('columns');
  });

  it.each<[what: string, columns: string, message: RegExp]>([
    ['no JSON', '{', /columns must be JSON/],
    ['an array', '["value"]', /columns must be an object/],
    ['a number', '{"Code":1}', /columns must be an object/],
    ['null', 'null', /columns must be an object/],
  ])('are refused as %s', async (_what, value, message) => {
    const { send } = await newList();
    const { status, body } = await send<{ detail: string }>(
      'PUT',
      `import?columns=${encodeURIComponent(value)}`,
      bytes,
    );
    expect([status, body.detail]).toEqual([400, expect.stringMatching(message)]);
  });

  it('name a locale that the list lacks', async () => {
    const { send } = await newList();
    const query = encodeURIComponent(JSON.stringify({ ...columns, Deutsch: 'fr' }));
    const { body } = await send<ImportProblem>('PUT', `import?columns=${query}`, bytes);
    expect(body.faults.map(({ code, field }) => [code, field])).toEqual([['locale_unknown', 'deutsch']]);
  });
});
