import type { DataListItem } from '@canvass/contracts';

/**
 * Items that an import accepts, as JSON and as NDJSON, and what becomes of them. For default locale `en` and
 * locale `nl`.
 */
export interface AcceptedItems {
  what: string;
  items: unknown[];
  stored: DataListItem[];
}

const of = (value: string, label: string): DataListItem => ({ value, labels: { default: label } });
const same = (what: string, ...items: DataListItem[]): AcceptedItems => ({ what, items, stored: items });

export const acceptedItems: AcceptedItems[] = [
  same('no items'),
  same('one item', of('a', 'A')),
  same('labels of a locale', { value: 'a', labels: { default: 'A', nl: 'Aa' } }),
  same('spaces around texts', of(' a ', '  A ')),
  same('line breaks, tabs and quotes', of('a\r\nb', 'say "A"\t\n\r')),
  same('commas, semicolons and backslashes', of('a,b;c', '\\n\\"\\')),
  same('right-to-left text', of('il', 'ישראל'), of('ps', 'فلسطين')),
  same('bidirectional controls', of('x', '\u202eabc\u202c\u200f')),
  same('combining marks kept apart', of('e\u0301', 'x'), of('\u00e9', 'y')),
  same('signs beyond 16 bits', of('😀', '𝔸👩‍👩‍👧')),
  same('values that differ in case', of('a', 'A'), of('A', 'A')),
  same('values that differ in a space', of('a', 'A'), of('a ', 'A'), of(' a', 'A')),
  {
    what: 'labels that are blank, of no width or null',
    items: [
      { value: 'a', labels: { default: 'A', nl: '  ' } },
      { value: 'b', labels: { default: 'B', nl: '\u200b' } },
      { value: 'c', labels: { default: 'C', nl: null } },
      { value: 'd', labels: { default: 'D', nl: ' d ' } },
    ],
    stored: [of('a', 'A'), of('b', 'B'), of('c', 'C'), { value: 'd', labels: { default: 'D', nl: ' d ' } }],
  },
  same('numbers, true and null as texts', of('1', '1'), of('1.0', '1'), of('true', 'null')),
  same('HTML and formulas', of('=1+1', '<b>&amp;</b>')),
  same('control characters', of('\u0001', '\u001f\u007f\u0085')),
  same('non-characters of Unicode', of('\ufffe', '\uffff')),
  same('500 signs of two units', of('😀'.repeat(500), 'é'.repeat(500))),
  same('names of every object as values', of('constructor', '__proto__'), of('__proto__', 'toString')),
  {
    what: 'the default locale for default',
    items: [{ value: 'a', labels: { en: 'A' } }],
    stored: [of('a', 'A')],
  },
  {
    what: 'label keys in capitals and with spaces',
    items: [{ value: 'a', labels: { ' Default ': 'A', NL: 'Aa' } }],
    stored: [{ value: 'a', labels: { default: 'A', nl: 'Aa' } }],
  },
  {
    what: 'empty labels, which clear their key',
    items: [{ value: 'a', labels: { default: 'A', nl: '' } }],
    stored: [of('a', 'A')],
  },
  {
    what: 'members in another order',
    items: [{ labels: { nl: 'Aa', default: 'A' }, value: 'a' }],
    stored: [{ value: 'a', labels: { default: 'A', nl: 'Aa' } }],
  },
];
