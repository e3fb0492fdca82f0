import { header, partsOf, row, text, zipOf, type Parts } from './workbooks';

/** Workbooks of public reports on readers of other projects, each as a file of ours, with their items. */

const number = (value: string, style = 0) => `<c s="${style}"><v>${value}</v></c>`;
const strict = (xml: string) =>
  xml.replaceAll('http://schemas.openxmlformats.org', 'http://purl.oclc.org/ooxml');
const prefixed = (xml: string | Buffer) =>
  String(xml)
    .replaceAll(/<(\/?)([a-z])/gi, '<$1x:$2')
    .replaceAll('xmlns=', 'xmlns:x=');

export const reports: [report: string, parts: Parts | Buffer, items: [string, string][]][] = [
  [
    'tafia/calamine#261: rows and cells without their places',
    { rows: `${header}<row r="4">${text('a')}<c r="B4" t="inlineStr"><is><t>A</t></is></c></row>` },
    [['a', 'A']],
  ],
  [
    'exceljs/exceljs#1437: tags with a prefix',
    zipOf(
      partsOf({ rows: header + row(text('a'), text('A')) }).map((part) =>
        part.name.endsWith('.xml')
          ? { ...part, content: prefixed(part.content).replace('<x:?', '<?') }
          : part,
      ),
    ),
    [['a', 'A']],
  ],
  [
    'ExcelDataReader/ExcelDataReader#682: relations with a prefix',
    zipOf(
      partsOf({ rows: header + row(text('a'), text('A')) }).map((part) =>
        part.name.endsWith('.rels') ? { ...part, content: prefixed(part.content) } : part,
      ),
    ),
    [['a', 'A']],
  ],
  [
    'SheetJS/sheetjs#476: the pronunciation of a text is no part of it',
    {
      strings: '<si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/></si>',
      rows: header + row(text('a'), '<c t="s"><v>0</v></c>'),
    },
    [['a', '東京']],
  ],
  [
    'exceljs/exceljs#1431: a formatted text is one text',
    {
      strings:
        '<si><r><rPr><b/></rPr><t xml:space="preserve">one </t></r><r><t>text</t></r></si><si><t/></si><si><t>next</t></si>',
      rows: header + row(text('a'), '<c t="s"><v>0</v></c>') + row(text('b'), '<c t="s"><v>2</v></c>'),
    },
    [
      ['a', 'one text'],
      ['b', 'next'],
    ],
  ],
  [
    'pythonicrubyist/creek#29: escaped control characters',
    { rows: header + row(text('a'), text('one_x000D_\ntwo _x005F_x000D_')) },
    [['a', 'one\r\ntwo _x000D_']],
  ],
  [
    'tidyverse/readxl#389: leading zeros of a format',
    { formats: ['0000000'], rows: header + row(number('123', 1), text('A')) },
    [['0000123', 'A']],
  ],
  [
    'dtjohnson/xlsx-populate#200: the calendar that starts in 1904',
    {
      workbook: '<workbookPr date1904="1"/><sheets><sheet name="S" sheetId="1" r:id="worksheet"/></sheets>',
      formats: ['yyyy/mm/dd'],
      rows: header + row(number('0', 1), text('first')) + row(number('44892', 1), text('day')),
    },
    [
      ['1904-01-01', 'first'],
      ['2026-11-28', 'day'],
    ],
  ],
  [
    'awalker89/openxlsx#469: days before March 1900',
    {
      formats: ['dd/mm/yy'],
      rows: ['1', '10', '59', '60', '61']
        .map((day) => row(number(day, 1), text(day)))
        .join('')
        .replace(/^/, header),
    },
    [
      ['1900-01-01', '1'],
      ['1900-01-10', '10'],
      ['1900-02-28', '59'],
      ['1900-02-29', '60'],
      ['1900-03-01', '61'],
    ],
  ],
  [
    'tableflowhq/csv-import#243: days, times and what only looks like them',
    {
      formats: ['[$-407]d. mmmm yyyy;@', 'h:mm', '[h]:mm:ss', '#,##0.00\\ &quot;mm&quot;', '[Red]0.0_d'],
      rows:
        header +
        row(number('46354', 1), text('day')) +
        row(number('0.5', 2), text('noon')) +
        row(number('0.999999999', 1), text('rounded')) +
        row(number('1234.5', 4), text('length')) +
        row(number('2.5', 5), text('red')),
    },
    [
      ['2026-11-28', 'day'],
      ['12:00:00', 'noon'],
      ['1900-01-01', 'rounded'],
      ['1234.5', 'length'],
      ['2.5', 'red'],
    ],
  ],
  [
    'rfischer42/xlsx-reader#10: empty rows',
    {
      rows: `<row r="1" ht="15"/>${header}<row r="3"/><row r="4"><c s="0"/></row>${row(text('a'), text('A'))}`,
    },
    [['a', 'A']],
  ],
  [
    'roo-rb/roo#549: inline text without its type',
    { rows: header + row('<c><is><t>a</t></is></c>', text('A')) },
    [['a', 'A']],
  ],
  [
    'dhatim/fastexcel#139: absolute names of parts, in other cases',
    zipOf(
      partsOf({ rows: header + row(text('a'), text('A')) }).map((part) => ({
        ...part,
        name: part.name.replace('xl/worksheets', 'xl/WorkSheets'),
        content: String(part.content).replace('"worksheets/', '"/xl/worksheets/'),
      })),
    ),
    [['a', 'A']],
  ],
  [
    'office-kit/xlsx#115: a formula with an empty text',
    { rows: header + row(text('a'), text('A'), '<c t="str"><f>B9</f><v/></c>') },
    [['a', 'A']],
  ],
  [
    'the strict form of the standard',
    zipOf(
      partsOf({ rows: header + row(text('a'), text('A')) }).map((part) => ({
        ...part,
        content: strict(String(part.content)),
      })),
    ),
    [['a', 'A']],
  ],
  [
    'numbers of every size',
    {
      rows:
        header +
        ['1E3', '-7', '1.5E-3', '0.1', '123456789012345680', '1e300']
          .map((own) => row(number(own), text(own)))
          .join(''),
    },
    [
      ['1000', '1E3'],
      ['-7', '-7'],
      ['0.0015', '1.5E-3'],
      ['0.1', '0.1'],
      ['123456789012346000', '123456789012345680'],
      ['1e+300', '1e300'],
    ],
  ],
];
