import { createDatabase, type Database } from '@canvass/postgres';
import { testDatabase, type TestDatabase } from '@canvass/testing';
import { separators } from '@canvass/workbooks';
import fc from 'fast-check';
import { csvCell, type CsvDialect } from '../src/submissions/csv-cell';
import { csvLineOf } from '../src/submissions/csv.sql';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await testDatabase({
    template: 'csv empty',
    schema: 'submissions',
    prepare: () => Promise.resolve(),
  });
  db = createDatabase({ Url: database.url, PoolMax: 1 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const line = async (texts: (string | null)[], dialect: CsvDialect) => {
  const columns = texts.map((_, at) => ({ column: `c${at}`, isFreeText: true }));
  const [row] = await db.query<{ line: string }>(
    `select ${csvLineOf([...columns, { column: '7::text', isFreeText: false }], dialect)} as line
     from (values (${texts.map((_, at) => `$${at + 1}::text`).join()})) v (${columns.map(({ column }) => column).join()})`,
    texts,
  );
  return row!.line;
};

const dialects = fc.record<CsvDialect>({
  raw: fc.boolean(),
  separator: fc.constantFrom(...separators),
  idsAsText: fc.boolean(),
});
const storable = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll('\u0000', ''));
const tricky = fc.constantFrom(
  '',
  ' ',
  '=',
  '+1',
  '-1',
  '@x',
  '"',
  '""',
  ',',
  '\r',
  '\n',
  '\t=1',
  'x;=1',
  'a|b',
  '0049',
  '186512345677000576',
  '12e5',
  ';;+1',
  'x\t@y',
  'x\r\n=1',
  'to do:\n- a\n-b',
  '＝1',
  '－1;＠x',
  '\u007f',
  '\u0085x',
  '\u00a0x',
  'x\u00a0',
  '\u2003x',
  'x\ufeff',
  '\u3000',
  '\\.',
  "'=1",
  'x\ny',
  '\u200bx',
  'x\u180e',
  '日本',
  '😀 ',
  '{"a":"b"}',
);

it('lines of a CSV are cells as RFC 4180 has them, and nothing a spreadsheet would run', async () => {
  const texts = fc.array(fc.oneof(tricky, storable, fc.constant(null)), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(texts, dialects, async (cells, dialect) => {
      const expected = cells.map((text) => (text === null ? '' : csvCell(text, dialect)));
      expect(await line(cells, dialect)).toBe(`${[...expected, '7'].join(dialect.separator)}\r\n`);
    }),
    { numRuns: 200, examples: [[['=1', ' x', null, '"'], { raw: false, separator: ',', idsAsText: false }]] },
  );
});
