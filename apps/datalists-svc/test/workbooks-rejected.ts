import { header, partsOf, row, text, workbookOf, zipOf, type ZipPart } from './workbooks';

const sheet = (content: string | Buffer, part: Partial<ZipPart> = {}) =>
  workbookOf({ rows: '', replaced: [{ name: 'xl/worksheets/sheet1.xml', content, ...part }] });
const bad = '<worksheet><sheetData>';

/** Files that are no workbooks, broken ones and hostile ones, with the fault of each. */
export const rejected: [what: string, bytes: Buffer, code: string, message: RegExp][] = [
  ['nothing', Buffer.alloc(0), 'not_xlsx', /not an \.xlsx/],
  ['CSV', Buffer.from('value,default\na,A\n'), 'not_xlsx', /not an \.xlsx/],
  ['an archive of something else', zipOf([{ name: 'a.txt', content: 'a' }]), 'not_xlsx', /not an \.xlsx/],
  ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'not_xlsx', /old Excel .* password/],
  ['a binary workbook', zipOf([{ name: 'xl/workbook.bin', content: 'a' }]), 'not_xlsx', /\.xlsb/],
  ['OpenDocument', zipOf([{ name: 'mimetype', content: 'a' }]), 'not_xlsx', /OpenDocument/],
  ['half of a file', workbookOf({ rows: header }).subarray(0, 500), 'not_xlsx', /not an \.xlsx/],
  ['a sheet that ends early', sheet(bad), 'not_xlsx', /XML is wrong/],
  ['a sheet that is no XML', sheet('value,default'), 'not_xlsx', /XML is wrong/],
  ['bytes that are no UTF-8', sheet(Buffer.from([0x3c, 0xff, 0xfe])), 'not_xlsx', /cannot be read/],
  ['a wrong checksum', sheet('<worksheet/>', { crc: 1 }), 'not_xlsx', /checksum/],
  ['a size that is a lie', sheet('<worksheet/>', { size: 5 }), 'not_xlsx', /cannot be read/],
  [
    'a hidden sheet alone',
    workbookOf({
      rows: header,
      workbook: '<sheets><sheet name="S" sheetId="1" state="hidden" r:id="worksheet"/></sheets>',
    }),
    'not_xlsx',
    /no sheet/,
  ],
  [
    'no such sheet',
    workbookOf({ rows: header, workbook: '<sheets><sheet name="S" sheetId="1" r:id="other"/></sheets>' }),
    'not_xlsx',
    /no sheet/,
  ],
  [
    'a text that is missing',
    workbookOf({ rows: header + row('<c t="s"><v>7</v></c>') }),
    'not_xlsx',
    /A2: .*text that is missing/,
  ],
  [
    'a number that is text',
    workbookOf({ rows: header + row('<c><v>7,5</v></c>') }),
    'not_xlsx',
    /A2: .*number/,
  ],
  ['rows in disorder', workbookOf({ rows: '<row r="2"/><row r="1"/>' }), 'not_xlsx', /wrong number/],
  ['a row below the last', workbookOf({ rows: '<row r="1048577"/>' }), 'not_xlsx', /wrong number/],
  ['a column beside the last', workbookOf({ rows: '<row><c r="XFE1"/></row>' }), 'not_xlsx', /wrong place/],
  [
    'a column of endless letters',
    workbookOf({ rows: `<row><c r="${'Z'.repeat(9_999)}1"/></row>` }),
    'not_xlsx',
    /wrong place/,
  ],
  [
    'a part twice',
    zipOf([...partsOf({ rows: header }), { name: 'XL/workbook.xml', content: '' }]),
    'not_xlsx',
    /twice/,
  ],
  ['no header', workbookOf({ rows: row('<c/>') }), 'header_missing', /first row/],
  [
    'entities of its own',
    sheet('<!DOCTYPE a [<!ENTITY b "c">]><worksheet>&b;</worksheet>'),
    'not_xlsx',
    /XML is wrong/,
  ],
  ['endless nesting', sheet('<a>'.repeat(1_000)), 'not_xlsx', /nested too deep/],
  [
    'a text without end',
    sheet(`${bad}<row><c><v>${'1'.repeat(3_000_000)}`),
    'workbook_too_large',
    /text that is too long/,
  ],
  [
    'a comment without end',
    sheet(`${bad}<!-- ${'<a>'.repeat(1_000_000)}`),
    'workbook_too_large',
    /text that is too long/,
  ],
  [
    'a bomb',
    sheet(`${bad}${'<row/>'.repeat(3_000_000)}</sheetData></worksheet>`),
    'workbook_too_large',
    /too large/,
  ],
  [
    'a size beyond the limit',
    sheet('<worksheet/>', { size: 2 ** 32 - 2 }),
    'workbook_too_large',
    /too large/,
  ],
  // developer0hye/office2pdf#1702
  [
    'a long text in many cells',
    workbookOf({
      strings: `<si><t>${'a'.repeat(60_000)}</t></si>`,
      rows: header + row(...Array.from({ length: 12_000 }, () => '<c t="s"><v>0</v></c>')),
    }),
    'row_too_long',
    /Sheet1!2:2: The row is longer/,
  ],
  [
    'a long header',
    workbookOf({ rows: row(text('value'), text('b'.repeat(65_000)), text('c'.repeat(9_000))) }),
    'row_too_long',
    /header/,
  ],
];
