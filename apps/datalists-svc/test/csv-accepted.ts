/**
 * CSV texts that an import accepts and the items it makes of them, for default locale `en` and locale `nl`.
 */

export interface AcceptedCsv {
  what: string;
  csv: string;
  items: [value: string, labels: Record<string, string>][];
}

const two: AcceptedCsv['items'] = [
  ['a', { default: 'A' }],
  ['b', { default: 'B' }],
];

export const accepted: AcceptedCsv[] = [
  { what: 'CRLF', csv: 'value,default\r\na,A\r\nb,B\r\n', items: two },
  { what: 'LF', csv: 'value,default\na,A\nb,B\n', items: two },
  { what: 'CR', csv: 'value,default\ra,A\rb,B\r', items: two },
  { what: 'mixed line breaks', csv: 'value,default\r\na,A\nb,B\r', items: two },
  { what: 'no line break at the end', csv: 'value,default\r\na,A\r\nb,B', items: two },
  { what: 'blank lines at the end', csv: 'value,default\na,A\nb,B\n\n\r\n\n', items: two },
  { what: 'a byte order mark', csv: '\ufeffvalue,default\na,A\nb,B\n', items: two },
  {
    what: 'a byte order mark before a quoted header',
    csv: '\ufeff"value","default"\na,A\nb,B\n',
    items: two,
  },
  // firefly-iii/firefly-iii#691, NHSDigital/manage-vaccinations-in-schools PR 2186,
  // bardsoftware/ganttproject#1634
  { what: 'rows of commas at the end', csv: 'value,default\na,A\nb,B\n,\n,\n', items: two },
  { what: 'only rows of commas', csv: 'value,default\n,\n', items: [] },
  { what: 'columns without name and text at the end', csv: 'value,default,,\na,A,,\nb,B,,\n', items: two },
  // PowerShell/PowerShell#7776, dhatim/fastexcel#327
  { what: 'a line that names the comma', csv: 'sep=,\nvalue,default\na,A\nb,B\n', items: two },
  {
    what: 'a line that names the semicolon',
    csv: '\ufeffsep=;\r\nvalue;default\r\na;A\r\nb;B\r\n',
    items: two,
  },
  { what: 'a quoted line that names the tab', csv: '"sep=\t"\nvalue\tdefault\na\tA\nb\tB\n', items: two },
  { what: 'semicolons', csv: 'value;default\na;A\nb;B\n', items: two },
  { what: 'semicolons and quotes', csv: '"value";"default"\n"a";"A"\n"b";"B"\n', items: two },
  { what: 'semicolons and a byte order mark', csv: '\ufeffvalue;default\na;A\nb;B\n', items: two },
  { what: 'semicolons and empty columns', csv: 'value;default;;\na;A;;\nb;B;;\n;;;\n', items: two },
  {
    what: 'semicolons, with commas in cells',
    csv: 'value;default\na,b;"A; B"\n',
    items: [['a,b', { default: 'A; B' }]],
  },
  { what: 'tabs', csv: 'value\tdefault\na\tA\nb\tB\n', items: two },
  { what: 'pipes', csv: 'value|default\na|A\nb|B\n', items: two },
  {
    what: 'commas, with semicolons in a quoted name',
    csv: 'value,"default"\n"a;b",A\n',
    items: [['a;b', { default: 'A' }]],
  },
  { what: 'only a header', csv: 'value,default\r\n', items: [] },
  { what: 'everything quoted', csv: '"value","default"\r\n"a","A"\r\n"b","B"', items: two },
  { what: 'a header in capitals and with spaces', csv: ' VALUE , Default \na,A\nb,B', items: two },
  { what: 'the default locale for default', csv: 'value,EN\na,A\nb,B', items: two },
  { what: 'columns in another order', csv: 'default,value\nA,a\nB,b', items: two },
  {
    what: 'a locale column, empty cells clearing it',
    csv: 'value,default,NL\na,A,Aa\nb,B,\n',
    items: [
      ['a', { default: 'A', nl: 'Aa' }],
      ['b', { default: 'B' }],
    ],
  },
  { what: 'a comma in quotes', csv: 'value,default\n"a,b","A, B"\n', items: [['a,b', { default: 'A, B' }]] },
  { what: 'doubled quotes', csv: 'value,default\na,"say ""A"""\n', items: [['a', { default: 'say "A"' }]] },
  { what: 'a cell of one quote', csv: 'value,default\na,""""\n', items: [['a', { default: '"' }]] },
  {
    what: 'line breaks in quotes, each kept as it is',
    csv: 'value,default\n"a\r\nb","1\n2\r3"\n',
    items: [['a\r\nb', { default: '1\n2\r3' }]],
  },
  { what: 'spaces kept', csv: 'value,default\n a ,  A \n', items: [[' a ', { default: '  A ' }]] },
  {
    what: 'tabs and semicolons in cells',
    csv: 'value,default\na;1,A\tB\n',
    items: [['a;1', { default: 'A\tB' }]],
  },
  {
    what: 'apostrophes and backslashes',
    csv: "value,default\na'b\\,\\n\n",
    items: [["a'b\\", { default: '\\n' }]],
  },
  {
    what: 'right-to-left text',
    csv: 'value,default\nil,ישראל\nps,فلسطين\n',
    items: [
      ['il', { default: 'ישראל' }],
      ['ps', { default: 'فلسطين' }],
    ],
  },
  {
    what: 'combining marks kept apart',
    csv: 'value,default\ne\u0301,x\n\u00e9,y\n',
    items: [
      ['e\u0301', { default: 'x' }],
      ['\u00e9', { default: 'y' }],
    ],
  },
  { what: 'signs beyond 16 bits', csv: 'value,default\n😀,𝔸\n', items: [['😀', { default: '𝔸' }]] },
  {
    what: 'values that differ in case',
    csv: 'value,default\na,A\nA,A\n',
    items: [
      ['a', { default: 'A' }],
      ['A', { default: 'A' }],
    ],
  },
  {
    what: 'formula signs',
    csv: 'value,default\n=1+1,+A\n-b,@B\n',
    items: [
      ['=1+1', { default: '+A' }],
      ['-b', { default: '@B' }],
    ],
  },
  {
    what: '500 characters of two units',
    csv: `value,default\n${'😀'.repeat(500)},${'é'.repeat(500)}`,
    items: [['😀'.repeat(500), { default: 'é'.repeat(500) }]],
  },
  { what: 'a header without a line break', csv: 'value,default', items: [] },
  { what: 'quotes around some cells only', csv: 'value,default\n"a",A\nb,"B"\n', items: two },
  { what: 'the locale column before the others', csv: 'nl,value,default\n,a,A\n,b,B\n', items: two },
  { what: 'quoted empty cells', csv: 'value,default,nl\na,A,""\nb,B,""\n', items: two },
  { what: 'a locale in another case and spaces', csv: 'value,default, Nl \na,A,\nb,B,\n', items: two },
  {
    what: 'a last cell of only a line break, which clears the label',
    csv: 'value,default,nl\na,A,"\n"\n',
    items: [['a', { default: 'A' }]],
  },
  {
    what: 'blank cells, which clear the label',
    csv: 'value,default,nl\na,A,"  "\nb,B,\u200b\nc,C, c \n',
    items: [
      ['a', { default: 'A' }],
      ['b', { default: 'B' }],
      ['c', { default: 'C', nl: ' c ' }],
    ],
  },
  {
    what: 'only quotes and commas in a cell',
    csv: 'value,default\n""",""",",,"\n',
    items: [['","', { default: ',,' }]],
  },
  {
    what: 'a quoted cell over many lines',
    csv: 'value,default\na,"1\n2\n\n\n3"\nb,B\n',
    items: [
      ['a', { default: '1\n2\n\n\n3' }],
      ['b', { default: 'B' }],
    ],
  },
  {
    what: 'bidirectional controls and zero-width signs',
    csv: 'value,default\nx,\u202eabc\u202c\u200f\u200b\n',
    items: [['x', { default: '\u202eabc\u202c\u200f\u200b' }]],
  },
  {
    what: 'separators of Unicode, which end no line',
    csv: 'value,default\na,A\u2028B\u2029C\u0085D\u000bE\u000cF\n',
    items: [['a', { default: 'A\u2028B\u2029C\u0085D\u000bE\u000cF' }]],
  },
  {
    what: 'numbers with leading zeros and exponents as they are',
    csv: 'value,default\n007,1e3\n7,1.0\n',
    items: [
      ['007', { default: '1e3' }],
      ['7', { default: '1.0' }],
    ],
  },
  {
    what: 'values that differ in white space',
    csv: 'value,default\na,A\na ,A\n a,A\n',
    items: [
      ['a', { default: 'A' }],
      ['a ', { default: 'A' }],
      [' a', { default: 'A' }],
    ],
  },
  {
    what: 'a byte order mark inside',
    csv: 'value,default\n\ufeffa,A\n',
    items: [['\ufeffa', { default: 'A' }]],
  },
];
