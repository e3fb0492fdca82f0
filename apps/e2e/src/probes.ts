// cspell:disable
/** Texts that a stranger could send to make a page run or misplace something. */

/** Each calls `ran`, which the tests define, if a page takes it for more than text. */
const markup = [
  '<script>ran(1)</script>',
  '<img src=x onerror=ran(2)>',
  '<svg onload=ran(3)>',
  '<svg><script>ran(4)</script></svg>',
  '<iframe srcdoc="<script>parent.ran(5)</script>">',
  '<iframe src="javascript:parent.ran(6)">',
  '<a href="javascript:ran(7)" autofocus onfocus=ran(7)>x</a>',
  '<body onload=ran(8)>',
  '<details open ontoggle=ran(9)>',
  '<input autofocus onfocus=ran(10)>',
  '<video><source onerror=ran(11)></video>',
  '<math><mtext><img src=x onerror=ran(12)></mtext></math>',
  '<style>*{display:none}</style>',
  '</style><img src=x onerror=ran(14)>',
  '</textarea><img src=x onerror=ran(15)>',
  '</title><img src=x onerror=ran(16)>',
  '</script><script>ran(17)</script>',
  '"><img src=x onerror=ran(18)>',
  "'><img src=x onerror=ran(19)>",
  '" onmouseover="ran(20)" x="',
  '<base href="https://evil.example/">',
  '<meta http-equiv=refresh content="0;url=https://evil.example/">',
  '<form action="https://evil.example/"><button>x</button></form>',
  '<link rel=stylesheet href=https://evil.example/x.css>',
  '<object data="javascript:ran(25)">',
  '<template><img src=x onerror=ran(26)></template>',
  '<!--><img src=x onerror=ran(27)>-->',
  '<![CDATA[<img src=x onerror=ran(28)>]]>',
  '&lt;img src=x onerror=ran(29)&gt;',
  '&#60;img src=x onerror=ran(30)&#62;',
];

const addresses = [
  'javascript:ran(31)',
  'JaVaScRiPt:ran(32)',
  ' java\tscript:ran(33)',
  'data:text/html,<script>ran(34)</script>',
  'vbscript:ran(35)',
  '//evil.example/',
  'https://evil.example/"onmouseover="ran(37)',
];

/** Names that an object has by itself, formulas, templates. */
const names = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '{{constructor.constructor("ran(43)")()}}',
  '${ran(44)}',
  '#{ran(45)}',
  '=HYPERLINK("https://evil.example/")',
  '+ran(46)',
  '@SUM(1)',
  '../../../etc/passwd',
  '%00%0d%0aSet-Cookie: x=y',
  'null',
  'undefined',
  'NaN',
];

/** Characters that are invisible, change the direction, or are none. */
const characters = [
  'abc\u202edcba\u202c',
  '\u2066\u202e\u2067both\u2069',
  'left\u200eright\u200f',
  'bell\u0007escape\u001b[31m',
  'nul\u0000nul',
  'lone \ud800 high',
  'lone \udc00 low',
  'c\u0301\u0302\u0303\u0304\u0305\u0306'.repeat(20),
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  '1e400',
  '9'.repeat(400),
];

/** Words without a place to break a line. */
const words = ['w'.repeat(3_000), '漢'.repeat(1_500), 'https://example.org/' + 'x'.repeat(1_500)];

export const probes: readonly string[] = [...markup, ...addresses, ...names, ...characters, ...words];

/** Probes that every place stores: the others hold characters that JSON of the database cannot hold. */
export const storable: readonly string[] = probes.filter(
  (text) => !text.includes('\0') && !/[\ud800-\udfff]/u.test(text),
);

/** The probes joined to texts that are as long as permitted, for places that have few records. */
export function joined(maxLength: number): string[] {
  const texts: string[] = [];
  let text = '';
  for (const probe of storable.map((own) => [...own].slice(0, maxLength).join(''))) {
    if (text !== '' && text.length + 1 + probe.length > maxLength) {
      texts.push(text);
      text = '';
    }
    text += (text === '' ? '' : ' ') + probe;
  }
  return [...texts, text];
}
