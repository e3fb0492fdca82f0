type Place = [line: number | null, column: number | null, field: string | null];

export interface RejectedCsv {
  what: string;
  csv: string;
  faults: [...Place, message: RegExp][];
}

/** Files that are no CSV of ours at all, and the faults that say so. */
export const foreign: RejectedCsv[] = [
  {
    what: 'a comment before the header',
    csv: '# cities\nvalue,default\n',
    faults: [
      [1, 1, '# cities', /not a locale/],
      [1, null, 'value', /missing/],
      [1, null, 'default', /missing/],
    ],
  },
  { what: 'JSON', csv: '[{"value":1}]', faults: [[1, 1, null, /inside an unquoted/]] },
  {
    what: 'HTML',
    csv: '<html>\n<body>Not found</body></html>',
    faults: [
      [1, 1, '<html>', /not a locale/],
      [1, null, 'value', /missing/],
      [1, null, 'default', /missing/],
    ],
  },
];
