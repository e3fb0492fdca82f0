/** Texts that some layer somewhere takes badly: encodings, patterns, paths, other languages, sheer length. */
export const oddTexts: readonly string[] = [
  ...[
    '',
    ' ',
    '\t\r\n',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udfff\ud800',
    '\u202e',
    '\ufeff',
    '\u007f',
    '\uffff',
  ],
  ...['ﷺ'.repeat(50), '👩‍👩‍👧‍👦', 'İ', 'ß', 'e\u0301', 'ＡＢＣ', '١٢٣', 'зазначений', '\u{10ffff}'],
  ...["'", '"', '\\', '%', '%00', '%zz', '_', '*', '../../etc/passwd', '<script>', '$1', ':id', '{{7*7}}'],
  ...['null', 'true', 'undefined', '__proto__', 'constructor', 'toString', 'hasOwnProperty'],
  ...['-1', '0', '1e309', 'NaN', 'Infinity', '0x10', '9223372036854775807', '9223372036854775808'],
  ...[
    "'; drop table forms; --",
    '\r\nX-Injected: 1',
    '{}',
    '[]',
    '{"a":',
    '((((((((((a)*)*)*)*)*',
    '\\u0000',
  ],
  ...['2026-02-30T25:61:61Z', '0000-00-00', '+275760-09-13T00:00:00Z', '-271821-04-20T00:00:00Z', '1970'],
  ...['x'.repeat(300), 'x'.repeat(5_000), 'é'.repeat(70_000), '0'.repeat(400)],
];

/** Numbers at and beyond the edges of integers, of doubles and of SQL's types. */
export const oddNumbers: readonly number[] = [
  ...[0, -0, -1, 1.5, 1e-7, 5e-324, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, -(2 ** 53), 1e21, 1e308],
];

/** JSON values that `JSON.stringify` cannot write, and some that are not JSON at all. */
export const rawTokens: readonly string[] = [
  ...[
    'NaN',
    'Infinity',
    '-Infinity',
    '1e400',
    '-1e400',
    '-0',
    '1E+2',
    '01',
    '.5',
    '0x10',
    'undefined',
    "'a'",
  ],
  ...['9223372036854775807', '9223372036854775808', '123456789012345678901234567890', '9007199254740993'],
  ...['"\\ud800"', '"\\u0000"', '"\\x41"', '"\u0001"', '[1,]', '{"a":1,"a":2}', '{"a":1,}', '{"":{"":""}}'],
  ...['{"__proto__":{"a":1}}', '{"constructor":{"prototype":{"a":1}}}', '/**/1', 'true false'],
];

/** One segment of a path, as it goes over the wire. */
export const oddSegments: readonly string[] = [
  ...['0', '1', '-1', '1.5', '1e3', '9223372036854775807', '9223372036854775808', '9'.repeat(40), '00012'],
  ...[
    '',
    '%00',
    'a%00b',
    '%ff',
    '%E0%A4%A',
    '%',
    '%zz',
    '%2e%2e',
    '..%2f..',
    '%2f',
    '.',
    '~',
    '%20',
    '+',
    ';a=1',
  ],
  ...[
    'null',
    'NaN',
    '__proto__',
    'constructor',
    'toString',
    '%C3%A9',
    '%F0%9F%91%A9',
    '%ED%A0%80',
    "'--",
    ':id',
    '*',
  ],
  ...['x'.repeat(300), 'x'.repeat(6_000), '{id}', '%0d%0aX-Injected:1', 'a,b', '@', '&', '='],
];

export const oddQueries: readonly string[] = [
  ...['?', '??', '?=', '?=?', '?&&&&', '?%', '?%zz', '?%00=%00', '?a=%ff', '?page=%ED%A0%80', '?__proto__=1'],
  ...[
    '?page=1&page=2',
    '?page[]=1',
    '?page[a]=1',
    '?page.=1',
    '?constructor=1',
    '?page',
    '?unknown=1',
    '?+=+',
  ],
  ...[
    `?${'a=1&'.repeat(500)}`,
    `?a=${'x'.repeat(5_000)}`,
    `?page=${'9'.repeat(400)}`,
    '?filter=&filter=&search=',
  ],
];

/** Headers, each in spellings that are wrong, rare or long; as Latin-1, which is what HTTP has. */
export const oddHeaders: Readonly<Record<string, readonly string[]>> = {
  'content-type': [
    ...[
      'text/plain',
      'text/csv',
      'text/html',
      'application/xml',
      'application/x-ndjson',
      'application/json5',
    ],
    ...[
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/problem+json',
      'a/b;;',
      '',
      '/',
    ],
    ...[
      'application/json; charset=utf-16',
      'application/json; charset=',
      'APPLICATION/JSON;x="',
      'application/json,',
    ],
  ],
  'content-encoding': ['gzip', 'br', 'zip', 'identity', 'gzip, gzip', ''],
  accept: ['text/html', '*/*;q=0', 'application/xml', ',', 'a/b;q=x', 'x'.repeat(2_000)],
  authorization: [
    ...[
      'Bearer',
      'Bearer ',
      'Bearer x',
      'Bearer a.b.c',
      'bearer  a',
      'Basic Og==',
      'Basic',
      'Digest x',
      'Bearer \xe9',
    ],
    ...['Bearer eyJhbGciOiJub25lIn0.e30.', `Bearer ${'e'.repeat(6_000)}`, 'Bearer a, Bearer b', ','],
  ],
  'if-match': [
    '"1"',
    '"0"',
    '*',
    'W/"1"',
    '1',
    '"1", "2"',
    '"',
    '""',
    '"9223372036854775808"',
    'x'.repeat(500),
    '"\xe9"',
  ],
  'if-none-match': ['"1"', '*', 'W/"1"', '1', '"1", "2"', '"', '""', '"9223372036854775808"', ',,,'],
  'idempotency-key': ['k', ' ', '', 'x'.repeat(256), 'x'.repeat(5_000), '\xe9', '"', '\t', '{}', '../'],
  'x-request-id': ['', ' ', 'a b', '\xe9', 'x'.repeat(3_000), '"', '<script>'],
  traceparent: ['', '00', '00-0-0-00', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`, 'x'.repeat(500), '\xff'],
  'x-forwarded-for': ['', 'unknown', '1.2.3.4, ::1', '999.999.999.999', ','.repeat(500)],
  'x-forwarded-proto': ['javascript', ''],
  range: ['bytes=0-', 'bytes=9-1', 'x'],
  origin: ['null', 'https://forms.example.org', 'x', ''],
  cookie: ['a=b', '=', 'x'.repeat(4_000)],
  'x-long': ['x'.repeat(12_000), 'x'.repeat(20_000)],
};

export const oddMethods: readonly string[] = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH', 'LINK'],
];
