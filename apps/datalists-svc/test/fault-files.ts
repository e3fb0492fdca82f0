/** Files with errors, for default locale `en` and locale `nl`, with the codes that are found, in order. */
export interface FaultFile {
  type: 'text/csv' | 'application/x-ndjson';
  body: Buffer;
  codes: string[];
}

const long = 'x'.repeat(501);
const csv = (text: string, ...codes: string[]): FaultFile => ({
  type: 'text/csv',
  body: Buffer.from(text),
  codes,
});
const ndjson = (items: unknown[], ...codes: string[]): FaultFile => ({
  type: 'application/x-ndjson',
  body: Buffer.from(items.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join('\n')),
  codes,
});

export const faultFiles: FaultFile[] = [
  {
    type: 'text/csv',
    body: Buffer.from('value,default\na,\u00c3\u00b6\nk,K\u00f6ln\n', 'latin1'),
    codes: ['not_utf8'],
  },
  { type: 'application/x-ndjson', body: Buffer.from('{"value":"a"}', 'utf16le'), codes: ['not_utf8'] },
  { type: 'application/x-ndjson', body: Buffer.alloc(0), codes: ['file_empty'] },
  csv('', 'header_missing'),
  csv('value,nl\na,A\n', 'column_missing'),
  csv('value,default,nl,,NL\na,A,,,\n', 'column_unnamed', 'column_repeated'),
  csv(
    [
      'value,default,nl,xx',
      ',A,,',
      'b,,,',
      `${long},B,,`,
      `c,${long},,`,
      'd,D',
      '',
      'e,5" pipe,,',
      'f,"F"x,,',
      'b,B,,',
      'g\0,G,,',
      'h,H\0,,',
      'i\ufffd,I\ufffd,,',
      'j,"J',
    ].join('\n'),
    'locale_unknown',
    'value_missing',
    'default_missing',
    'value_too_long',
    'label_too_long',
    'cell_count',
    'line_blank',
    'quote_in_cell',
    'text_after_quote',
    'value_repeated',
    'value_with_nul',
    'label_with_nul',
    'value_not_decoded',
    'label_not_decoded',
    'quote_not_closed',
  ),
  csv(`value,default\na,${'x'.repeat(1_100_000)}\n`, 'row_too_long'),
  ndjson(
    [
      '{"value":',
      [],
      { value: 'a', labels: { default: 'A' }, more: 1, 'm\0': 1 },
      { value: 1, labels: { default: 'A' } },
      { value: 'b' },
      { value: 'c', labels: { default: 'C', NL: 'x', nl: 'y' } },
      { value: 'd', labels: { default: 1 } },
      '{"value":"\\ud800","labels":{"default":"\\ud800"}}',
    ],
    'json_invalid',
    'item_not_object',
    'member_unknown',
    'member_unknown',
    'value_not_text',
    'labels_not_object',
    'label_repeated',
    'label_not_text',
    'value_with_half_pair',
    'label_with_half_pair',
  ),
  { type: 'application/x-ndjson', body: Buffer.alloc(1_200_000, 'x'), codes: ['line_too_long'] },
];
