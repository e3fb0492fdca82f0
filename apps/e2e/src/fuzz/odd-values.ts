/** Values without white space, which separates them; the long ones follow. */
const words = (text: string, ...long: string[]): string[] => [...text.trim().split(/\s+/), ...long];
const x = (length: number): string => 'x'.repeat(length);
const nested = (levels: number, open: string, close: string) =>
  `${open.repeat(levels)}1${close.repeat(levels)}`;
const many = (length: number, item: string) => `[${Array.from({ length }, () => item).join()}]`;
const bigNumbers = '-1 0 9007199254740993 9223372036854775808 123456789012345678901234567890 ';
const spaces = ['', ' ', '\t\r\n', 'a\u0000b', '\ufeff', `'; drop table forms; --`, '\r\nX-Injected: 1'];

export const oddTexts = words(
  `${bigNumbers}' " \\ % %00 %zz _ * ../../etc/passwd <script> {{7*7}} {"a": ((((((((((a)*)*)*)*)* null __proto__
   constructor 1e309 NaN 0x10 \\u0000 2026-02-30T25:61:61Z +275760-09-13T00:00:00Z -271821-04-20T00:00:00Z 1970 İ ß
   e\u0301 ＡＢＣ ١٢٣ 👩‍👩‍👧‍👦 \u{10ffff} \u202e \u007f \uffff \ud800 \udfff\ud800`,
  ...spaces.concat(x(300), x(5_000), 'é'.repeat(70_000), '0'.repeat(400)),
);

/** Texts in the place of a JSON value; some are no JSON. */
export const oddJson = words(
  `${bigNumbers}NaN 1e400 -0 01 .5 undefined 'a' 5e-324 1e308 1.5 null true [] {} 2147483648 "\\ud800" "\\u0000" [1,]
   {"a":1,"a":2} {"":{"":""}} /**/1 {"__proto__":{"a":1}} {"constructor":{"prototype":{"a":1}}}`,
  ...['"\u0001"', many(101, '"a"'), many(2_001, 'null')].concat(
    [5, 63, 65, 1_000].flatMap((levels) => [nested(levels, '[', ']'), nested(levels, '{"a":', '}')]),
  ),
);

/** Bytes in the place of a JSON text: something else, cut, twice, or in another encoding. */
export const brokenJson: readonly ((json: string) => Buffer)[] = [
  ...['', ' \n', '\u0000', '{"a"=1&b=2', '['.repeat(100_000), ' '.repeat(2_000_000)].map(
    (text) => () => Buffer.from(text),
  ),
  (json) => Buffer.from(json.slice(0, json.length / 2)),
  (json) => Buffer.from(`\ufeff${json}${json}`),
  (json) => Buffer.from(json, 'utf16le'),
  (json) => Buffer.concat([Buffer.from(json.slice(0, -1)), Buffer.from([0xff, 0xfe, 0xc0, 0x80])]),
];

/** Segments of a path as they are sent. */
export const oddSegments = words(
  `${bigNumbers}1 1.5 1e3 00012 %00 a%00b %ff %E0%A4%A % %zz %2e%2e ..%2f.. %2f . ~ %20 + ;a=1 null NaN __proto__
   toString %C3%A9 %ED%A0%80 '-- {id} %0d%0aX-Injected:1 a,b @ & =`,
  '',
  x(300),
  x(6_000),
);

/** Queries as they are sent. */
export const oddQueries = words(
  `? ?= ?=? ?&&&& ?% ?%zz ?%00=%00 ?a=%ff ?page=%ED%A0%80 ?__proto__=1 ?page=1&page=2 ?page[]=1 ?page[a]=1
   ?constructor=1 ?page ?unknown=1 ?filter=&filter=&search=`,
  `?${'a=1&'.repeat(500)}`,
  `?page=${'9'.repeat(400)}`,
);

/** Headers that are wrong, rare or long, as Latin-1; values are separated by `|`. */
export const oddHeaders: readonly (readonly [string, readonly string[]])[] = Object.entries({
  'content-type': `text/plain|text/csv|a/b;;|/|multipart/form-data|application/json,|APPLICATION/JSON;x="`,
  'content-encoding': 'gzip|br|zip|gzip, gzip|',
  accept: `text/html|*/*;q=0|,|a/b;q=x|${x(2_000)}`,
  authorization: 'Bearer|Bearer x|Bearer a.b.c|Basic Og==|Bearer \xe9|Bearer eyJhbGciOiJub25lIn0.e30.',
  'if-match': `"1"|*|W/"1"|1|"1", "2"|"||"9223372036854775808"|,,,|"\xe9"|${x(500)}`,
  'if-none-match': `"1"|*|W/"1"|1|"||,,,`,
  'idempotency-key': `k| ||${x(256)}|${x(5_000)}|\xe9|"|{}`,
  'x-request-id': `|a b|\xe9|${x(3_000)}|<script>`,
  traceparent: `|00|00-${'0'.repeat(32)}-${'0'.repeat(16)}-01|${x(500)}`,
  'x-forwarded-for': `|unknown|1.2.3.4, ::1|999.999.999.999|${','.repeat(500)}`,
  range: 'bytes=0-|bytes=9-1|x',
  origin: 'null|https://forms.example.org|x',
  cookie: `a=b|=|${x(4_000)}`,
  'x-long': `${x(12_000)}|${x(20_000)}`,
}).map(([name, values]) => [name, values.split('|')]);

export const methods = words('GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND');
