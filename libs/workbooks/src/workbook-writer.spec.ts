import { inflateRawSync } from 'node:zlib';
import { excelText } from './csv-for-people';
import { WorkbookWriter, workbookOf, type SheetCell, type WorkbookState } from './workbook-writer';

const header = ['id', 'name'];

async function fileOf(batches: SheetCell[][][]): Promise<Buffer> {
  async function* rows() {
    for (const batch of batches) yield await Promise.resolve(batch);
  }
  const pieces: Buffer[] = [];
  for await (const piece of workbookOf('Things', header, rows())) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** The parts of an archive by its directory, with the checks of a reader. */
function partsOf(file: Buffer): Map<string, string> {
  const end = file.length - 22;
  expect(file.toString('latin1', end, end + 4)).toBe('PK\x05\x06');
  const parts = new Map<string, string>();
  let at = file.readUInt32LE(end + 16);
  for (let n = file.readUInt16LE(end + 10); n > 0; n--) {
    const [packed, size, length] = [
      file.readUInt32LE(at + 20),
      file.readUInt32LE(at + 24),
      file.readUInt16LE(at + 28),
    ];
    const name = file.toString('utf8', at + 46, at + 46 + length);
    const data = file.readUInt32LE(at + 42) + 30 + length;
    const content = inflateRawSync(file.subarray(data, data + packed));
    expect([name, content.length]).toEqual([name, size]);
    parts.set(name, content.toString());
    at += 46 + length;
  }
  return parts;
}

const sheetOf = async (rows: SheetCell[][]) => partsOf(await fileOf([rows])).get('xl/worksheets/sheet1.xml')!;

it('has its header without rows', async () => {
  expect([...partsOf(await fileOf([])).keys()]).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/styles.xml',
    'xl/worksheets/sheet1.xml',
    'xl/workbook.xml',
    'xl/_rels/workbook.xml.rels',
  ]);
  expect(await sheetOf([])).toContain('>id</t></is></c><c r="B1" t="inlineStr" s="2">');
});

it.each<[cell: SheetCell, xml: string]>([
  [1.5, '<c r="A2"><v>1.5</v></c>'],
  [true, '<c r="A2" t="b"><v>1</v></c>'],
  [null, '<row r="2"></row>'],
  [new Date('2026-11-28T12:00:00Z'), '<c r="A2" s="1"><v>46354.5</v></c>'],
  ['0042', '>0042</t>'],
  [12345678901234567, '>12345678901234568</t>'],
  ['=1+1', '>=1+1</t>'],
  [' a\nb ', '<t xml:space="preserve"> a\nb </t>'],
  ['<&>"', '>&lt;&amp;&gt;"</t>'],
  ['a\r\0\ud800\uffff_x000D_', '>a_x000D__x0000__xD800__xFFFF__x005F_x000D_</t>'],
  ['😀', '>😀</t>'],
  ['x'.repeat(40_000), `>${'x'.repeat(32_766)}…</t>`],
])('writes a cell (%#)', async (cell, xml) => {
  expect(await sheetOf([[cell]])).toContain(xml);
});

it('names the columns as spreadsheets do', async () => {
  const xml = await sheetOf([Array.from({ length: 703 }, (_, n) => n)]);
  for (const [n, place] of [
    [25, 'Z2'],
    [26, 'AA2'],
    [701, 'ZZ2'],
    [702, 'AAA2'],
  ])
    expect(xml).toContain(`<c r="${place}"><v>${n}</v></c>`);
});

it('continues from a stored state, with the bytes of one writer', async () => {
  const rows = Array.from({ length: 100 }, (_, n): SheetCell[] => [n, `name ${n}`]);
  const batches = [rows.slice(0, 40), rows.slice(40)];
  const pieces: Buffer[] = [];
  let stored: string | undefined;
  for (const [n, batch] of batches.entries()) {
    const state = stored === undefined ? undefined : (JSON.parse(stored) as WorkbookState);
    const writer = new WorkbookWriter('Things', header, state);
    pieces.push(await writer.write(batch));
    if (n === 1) pieces.push(await writer.end());
    stored = JSON.stringify(writer.state);
  }
  expect(Buffer.concat(pieces).equals(await fileOf(batches))).toBe(true);
});

it('continues in another sheet where one is full', async () => {
  const full = Array.from({ length: 1_048_576 }, (): SheetCell[] => [1]);
  const parts = partsOf(await fileOf([full]));
  expect(parts.get('xl/workbook.xml')).toContain('<sheet name="Things 2" sheetId="2" r:id="rId2"/>');
  const rows = (name: string) => parts.get(name)!.split('<row ').length - 1;
  expect([rows('xl/worksheets/sheet1.xml'), rows('xl/worksheets/sheet2.xml')]).toEqual([1_048_576, 2]);
});

it.each([
  ['007', '="007"'],
  ['186512345677000576', '="186512345677000576"'],
  ['12E5', '="12E5"'],
  ['1234', '1234'],
  ['0', '0'],
  ['0.5', '0.5'],
  ['a0123456789012', 'a0123456789012'],
])('keeps %s in a spreadsheet', (cell, text) => {
  expect(excelText(cell)).toBe(text);
});
