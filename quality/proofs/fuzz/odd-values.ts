import fc from 'fast-check';

/** Values without white space, which separates them. */
const words = (text: string): string[] => text.trim().split(/\s+/);
/** Values that may contain white space. */
const list = (text: string): string[] => text.split('|');
const x = (length: number): string => 'x'.repeat(length);

const bigNumbers = words(`
  -1 0 9007199254740993 9223372036854775807 9223372036854775808 123456789012345678901234567890`);

const oddTexts = [
  ...bigNumbers,
  ...words(`
    ' " \\ % %00 %zz _ * ../../etc/passwd <script> $1 :id {{7*7}} {} [] {"a": ((((((((((a)*)*)*)*)*
    null true undefined __proto__ constructor toString hasOwnProperty 1e309 NaN Infinity 0x10 \\u0000
    2026-02-30T25:61:61Z 0000-00-00 +275760-09-13T00:00:00Z -271821-04-20T00:00:00Z 1970
    İ ß e\u0301 ＡＢＣ ١٢٣ зазначений 👩‍👩‍👧‍👦 \u{10ffff} \u202e \u007f \uffff \ud800 \udfff\ud800`),
  ...list("| |\t\r\n|\u0000|a\u0000b|\ufeff|'; drop table forms; --|\r\nX-Injected: 1"),
  'ﷺ'.repeat(50),
  x(300),
  x(5_000),
  'é'.repeat(70_000),
  '0'.repeat(400),
];

/** A text of any kind. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...oddTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);

const nested = (levels: number, open: string, close: string) =>
  open.repeat(levels) + '1' + close.repeat(levels);
const many = (length: number, item: string) => `[${Array.from({ length }, () => item).join()}]`;

/** Texts in the place of a JSON value; some are no JSON. */
const jsonTokens = [
  ...bigNumbers,
  ...words(`
    NaN Infinity -Infinity 1e400 -1e400 -0 1E+2 01 .5 0x10 undefined 'a' 5e-324 1e21 1e308 1.5 null true [] {}
    2147483648 -2147483649 "\\ud800" "\\u0000" "\\x41" [1,] {"a":1,"a":2} {"a":1,} {"":{"":""}} /**/1
    {"__proto__":{"a":1}} {"constructor":{"prototype":{"a":1}}}`),
  ...list('"\u0001"|true false'),
  many(101, '"a"'),
  many(2_001, 'null'),
  many(2_001, '1'),
  ...[5, 63, 65, 1_000].flatMap((levels) => [nested(levels, '[', ']'), nested(levels, '{"a":', '}')]),
];

/** A text in the place of a JSON value. */
export const oddJson: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...jsonTokens),
  oddText.map((text) => JSON.stringify(text)),
  oddText.map((name) => `{${JSON.stringify(name)}:1}`),
  fc.double().map(String),
  fc.json({ maxDepth: 2 }),
);

/** Bytes in the place of a JSON text: cut, with more behind it, in another encoding, or something else. */
export const brokenJson: fc.Arbitrary<(json: string) => Buffer> = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }).map((share) => (json: string) => {
    return Buffer.from(json.slice(0, Math.floor(json.length * share)));
  }),
  fc.constantFrom(
    ...['', ' \n', '\u0000', '{"a"=1&b=2', '['.repeat(100_000), ' '.repeat(2_000_000)].map(
      (text) => () => Buffer.from(text),
    ),
    () => Buffer.from(nested(5_000, '{"a":', '}')),
    (json: string) => Buffer.from(`${json}x`),
    (json: string) => Buffer.from(json + json),
    (json: string) => Buffer.from(`\ufeff${json}`),
    (json: string) => Buffer.from(json, 'utf16le'),
    (json: string) => Buffer.concat([Buffer.from(json.slice(0, -1)), Buffer.from([0xff, 0xfe, 0xc0, 0x80])]),
  ),
);

/** A segment of a path as it is sent. */
export const oddSegment = fc.constantFrom(
  ...bigNumbers,
  ...words(`
    1 1.5 1e3 00012 %00 a%00b %ff %E0%A4%A % %zz %2e%2e ..%2f.. %2f . ~ %20 + ;a=1 null NaN __proto__
    constructor toString %C3%A9 %F0%9F%91%A9 %ED%A0%80 '-- :id * {id} %0d%0aX-Injected:1 a,b @ & =`),
  '',
  '9'.repeat(40),
  x(300),
  x(6_000),
);

/** The end of a path without parameters. */
export const oddEnding = fc.constantFrom('%00', '/', '%20', '.json', '%C3%A9', ';a');

/** A query as it is sent. */
export const oddQuery = fc.constantFrom(
  ...words(`
    ? ?? ?= ?=? ?&&&& ?% ?%zz ?%00=%00 ?a=%ff ?page=%ED%A0%80 ?__proto__=1 ?page=1&page=2 ?page[]=1
    ?page[a]=1 ?page.=1 ?constructor=1 ?page ?unknown=1 ?+=+ ?filter=&filter=&search=`),
  `?${'a=1&'.repeat(500)}`,
  `?a=${x(5_000)}`,
  `?page=${'9'.repeat(400)}`,
);

const etags = list(`"1"|"0"|*|W/"1"|1|"1", "2"|"|""|"9223372036854775808"|,,,|${x(500)}`);

/** Headers that are wrong, rare or long, as Latin-1. */
const oddHeaders: Record<string, string[]> = {
  'content-type': list(
    'text/plain|text/csv|text/html|application/xml|application/x-ndjson|application/json5|a/b;;|/||' +
      'application/x-www-form-urlencoded|multipart/form-data|application/problem+json|application/json,|' +
      'application/json; charset=utf-16|application/json; charset=|APPLICATION/JSON;x="',
  ),
  'content-encoding': list('gzip|br|zip|identity|gzip, gzip|'),
  accept: list(`text/html|*/*;q=0|application/xml|,|a/b;q=x|${x(2_000)}`),
  authorization: list(
    'Bearer|Bearer |Bearer x|Bearer a.b.c|bearer  a|Basic Og==|Basic|Digest x|,|Bearer \xe9|' +
      `Bearer eyJhbGciOiJub25lIn0.e30.|Bearer a, Bearer b|Bearer ${'e'.repeat(6_000)}`,
  ),
  'if-match': etags.concat('"\xe9"'),
  'if-none-match': etags,
  'idempotency-key': list(`k| ||${x(256)}|${x(5_000)}|\xe9|"|\t|{}|../`),
  'x-request-id': list(`| |a b|\xe9|${x(3_000)}|"|<script>`),
  traceparent: list(`|00|00-0-0-00|00-${'0'.repeat(32)}-${'0'.repeat(16)}-01|${x(500)}|\xff`),
  'x-forwarded-for': list(`|unknown|1.2.3.4, ::1|999.999.999.999|${','.repeat(500)}`),
  'x-forwarded-proto': ['javascript', ''],
  range: ['bytes=0-', 'bytes=9-1', 'x'],
  origin: list('null|https://forms.example.org|x|'),
  cookie: list(`a=b|=|${x(4_000)}`),
  'x-long': [x(12_000), x(20_000)],
};

/** A header and its value. */
export const oddHeader = fc
  .constantFrom(...Object.entries(oddHeaders))
  .chain(([name, values]) => fc.tuple(fc.constant(name), fc.constantFrom(...values)));

export const method = fc.constantFrom(
  ...words('GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND SEARCH LINK'),
);
