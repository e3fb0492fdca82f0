import { foreign, type RejectedCsv } from './csv-foreign';

/** CSV texts that an import refuses and the faults it names, for default locale `en` and locale `nl`. */

const long = 'x'.repeat(501);

export const rejected: RejectedCsv[] = [
  ...foreign,
  { what: 'nothing', csv: '', faults: [[1, null, null, /header is missing/]] },
  { what: 'only a byte order mark', csv: '\ufeff', faults: [[1, null, null, /header is missing/]] },
  { what: 'only blank lines', csv: '\n\r\n\n', faults: [[1, null, null, /header is missing/]] },
  {
    what: 'no header',
    csv: 'a,A\nb,B\n',
    faults: [
      [1, 1, 'a', /not a locale/],
      [1, 2, 'a', /not a locale/],
      [1, null, 'value', /missing/],
      [1, null, 'default', /missing/],
    ],
  },
  {
    what: 'an unknown column, and what is wrong in the rows below it',
    csv: `value,default,xx,nl\na,A,,${long}\nb,B,${long},\n\u200b,C,,\n`,
    faults: [
      [1, 3, 'xx', /not a locale/],
      [2, 4, 'nl', /501 characters/],
      [3, 3, 'xx', /501 characters/],
      [4, 1, 'value', /missing/],
    ],
  },
  { what: 'no value column', csv: 'default,nl\nA,Aa\n', faults: [[1, null, 'value', /missing/]] },
  { what: 'no default column', csv: 'value,nl\na,Aa\n', faults: [[1, null, 'default', /missing/]] },
  { what: 'an unknown column', csv: 'value,default,fr\na,A,B\n', faults: [[1, 3, 'fr', /not a locale/]] },
  {
    what: 'a column that is no culture code',
    csv: 'value,default,name of it\na,A,B\n',
    faults: [[1, 3, 'name of it', /not a locale/]],
  },
  {
    what: 'the same column twice',
    csv: 'value,default,nl,nl\na,A,1,2\n',
    faults: [[1, 4, 'nl', /more than one column/]],
  },
  {
    what: 'the same column in another case',
    csv: 'value,default,nl,NL\na,A,1,2\n',
    faults: [[1, 4, 'nl', /more than one column/]],
  },
  {
    what: 'default twice, once by its locale',
    csv: 'value,default,en\na,A,B\n',
    faults: [[1, 3, 'en', /more than one column for default/]],
  },
  {
    what: 'value twice',
    csv: 'value,value,default\na,b,A\n',
    faults: [[1, 2, 'value', /more than one column/]],
  },
  { what: 'a column without a name', csv: 'value,,default\na,,A\n', faults: [[1, 2, '', /no name/]] },
  {
    what: 'a blank line before the header',
    csv: '\nvalue,default\na,A\n',
    faults: [[1, null, null, /blank/]],
  },
  {
    what: 'a comment between rows',
    csv: 'value,default\n# more\na,A\n',
    faults: [[2, null, null, /has 1 cells/]],
  },
  {
    what: 'the header again between rows',
    csv: 'value,default\na,A\nvalue,default\nvalue,default\n',
    faults: [[4, 1, 'value', /already used by line 3/]],
  },
  {
    what: 'a header of two lines',
    csv: 'value,"default\n"\na,A\nb,B,C\n',
    faults: [[4, null, null, /has 3 cells/]],
  },
  {
    what: 'single quotes around a comma',
    csv: "value,default\na,'A, B'\n",
    faults: [[2, null, null, /has 3 cells/]],
  },
  {
    what: 'typographic quotes around a comma',
    csv: 'value,default\na,“A, B”\n',
    faults: [[2, null, null, /has 3 cells/]],
  },
  {
    what: 'a comma at the end of each row',
    csv: 'value,default\na,A,\nb,B,\n',
    faults: [
      [2, null, null, /3 cells/],
      [3, null, null, /3 cells/],
    ],
  },
  {
    what: 'a comma at the end of the header only',
    csv: 'value,default,\na,A\n',
    faults: [[2, null, null, /has 2 cells, the header has 3/]],
  },
  {
    what: 'text below a column without a name',
    csv: 'value,default,\na,A,x\n',
    faults: [[2, null, null, /without a name/]],
  },
  {
    what: 'a row of commas between rows',
    csv: 'value,default,nl\na,A,\n,,\nb,B,\n',
    faults: [[3, null, null, /blank/]],
  },
  { what: 'three quotes', csv: 'value,default\na,"""\n', faults: [[2, 2, null, /never closed/]] },
  {
    what: 'a quote that swallows a row',
    csv: 'value,default\na,"A\nb,"B"\n',
    faults: [[3, 2, null, /after the closing quote/]],
  },
  {
    what: 'a region of a known locale',
    csv: 'value,default,nl-be\na,A,B\n',
    faults: [[1, 3, 'nl-be', /not a locale/]],
  },
  {
    what: 'an underscore in a locale',
    csv: 'value,default,nl_NL\na,A,B\n',
    faults: [[1, 3, 'nl_nl', /not a locale/]],
  },
  {
    what: 'a duplicate far from the first',
    csv: `value,default\n${Array.from({ length: 3000 }, (_, n) => `v${n},L\n`).join('')}v7,L\n`,
    faults: [[3002, 1, 'value', /already used by line 9/]],
  },
  {
    what: 'a header of another encoding',
    csv: 'value,default,d\ufffd\n',
    faults: [[1, 3, 'd\ufffd', /not a locale/]],
  },
  {
    what: 'a cell of another encoding',
    csv: 'value,default\nk,K\ufffdln\n',
    faults: [[2, 2, 'default', /UTF-8/]],
  },
  {
    what: 'a row with a cell too few',
    csv: 'value,default,nl\na,A\n',
    faults: [[2, null, null, /has 2 cells, the header has 3/]],
  },
  {
    what: 'a row with a cell too many',
    csv: 'value,default\na,A,\n',
    faults: [[2, null, null, /has 3 cells/]],
  },
  {
    what: 'a blank line between rows',
    csv: 'value,default\na,A\n\nb,B\n',
    faults: [[3, null, null, /blank/]],
  },
  { what: 'a line of spaces', csv: 'value,default\na,A\n   \n', faults: [[3, null, null, /has 1 cells/]] },
  { what: 'an open quote', csv: 'value,default\na,"A\nb,B\n', faults: [[2, 2, null, /never closed/]] },
  {
    what: 'an open quote at the very end',
    csv: 'value,default\na,"',
    faults: [[2, 2, null, /never closed/]],
  },
  {
    what: 'an open quote in the header',
    csv: 'value,"default\na,A\n',
    faults: [[1, 2, null, /never closed/]],
  },
  {
    what: 'text after a closing quote',
    csv: 'value,default\na,"A"B\n',
    faults: [[2, 2, null, /after the closing quote/]],
  },
  {
    what: 'a space after a closing quote',
    csv: 'value,default\na,"A" \n',
    faults: [[2, 2, null, /after the closing quote/]],
  },
  {
    what: 'a space before an opening quote',
    csv: 'value,default\na, "A"\n',
    faults: [[2, 2, null, /inside an unquoted/]],
  },
  {
    what: 'a quote inside a cell',
    csv: 'value,default\na,5" pipe\n',
    faults: [[2, 2, null, /inside an unquoted/]],
  },
  {
    what: 'a backslash instead of a doubled quote',
    csv: 'value,default\na,"A\\"B"\n',
    faults: [[2, 2, null, /after the closing quote/]],
  },
  {
    what: 'a quote in the header',
    csv: 'value,def"ault\na,A\n',
    faults: [[1, 2, null, /inside an unquoted/]],
  },
  { what: 'no value', csv: 'value,default\n,A\n', faults: [[2, 1, 'value', /value is missing/]] },
  { what: 'a blank value', csv: 'value,default\n" ",A\n', faults: [[2, 1, 'value', /value is missing/]] },
  {
    what: 'no default label',
    csv: 'value,default,nl\na,,Aa\n',
    faults: [[2, 2, 'default', /default label is missing/]],
  },
  {
    what: 'a blank default label',
    csv: 'value,default\na,  \n',
    faults: [[2, 2, 'default', /default label is missing/]],
  },
  {
    what: 'too long a value',
    csv: `value,default\n${long},A\n`,
    faults: [[2, 1, 'value', /has 501 characters; at most 500/]],
  },
  {
    what: 'too long a default label',
    csv: `value,default\na,${long}\n`,
    faults: [[2, 2, 'default', /has 501 characters/]],
  },
  {
    what: 'too long a label',
    csv: `value,default,nl\na,A,${long}\n`,
    faults: [[2, 3, 'nl', /has 501 characters/]],
  },
  {
    what: 'the same value twice',
    csv: 'value,default\na,A\nb,B\na,C\n',
    faults: [[4, 1, 'value', /already used by line 2/]],
  },
  {
    what: 'the same value three times',
    csv: 'value,default\na,A\na,B\n"a",C\n',
    faults: [
      [3, 1, 'value', /line 2/],
      [4, 1, 'value', /line 2/],
    ],
  },
  {
    what: 'faults of many kinds, each on its physical line',
    csv: 'value,default,nl\n"a\n\r\nb",A,\nc,,\nd\ne,"E"x,\nf,F,\nf,F,\n',
    faults: [
      [5, 2, 'default', /missing/],
      [6, null, null, /has 1 cells/],
      [7, 2, null, /after the closing quote/],
      [9, 1, 'value', /line 8/],
    ],
  },
];
