import { fold } from '@canvass/postgres';
import { explainMatch } from './explain-match';

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const keys = { shown: 'default', included: [] };
const item = (label: string, value = '0') => ({ value, labels: { default: label } });

/** The piece that is marked. */
function marked(label: string, query: string, mode: 'Contains' | 'StartsWith' | 'Exact' = 'Contains') {
  const match = explainMatch(item(label), query, mode, keys);
  return match === null ? null : [label.slice(match.start, match.end), match.rank];
}

it.each([
  ['Iceland', 'land', 'land', 'contains'],
  ['Iceland', 'ICE', 'Ice', 'prefix'],
  ['Iceland', 'iceland', 'Iceland', 'exact'],
  ['Große Straße 5', 'strasse', 'Straße', 'contains'],
  ['Große Straße 5', 'ss', 'ß', 'contains'],
  ['Große Straße 5', 's', 'ß', 'contains'],
  ['Köln', 'ol', 'öl', 'contains'],
  ['Ko\u0308ln', 'ol', 'o\u0308l', 'contains'],
  ['  Two   words ', 'two words', 'Two   words', 'exact'],
  ['Æther', 'e', 'Æ', 'contains'],
  ['ﬃx', 'f', 'ﬃ', 'prefix'],
  ['👩‍👩‍👧 family', 'fam', 'fam', 'contains'],
  ['Łódź', 'odz', 'ódź', 'contains'],
  ['καλός', 'οσ', 'ός', 'contains'],
  ['aab ab', 'ab', 'ab', 'contains'],
  ['“Quoted”', '"q', '“Q', 'prefix'],
])('of %j the query %j marks %j (%s)', (label, query, piece, rank) => {
  expect(marked(label, query)).toEqual([piece, rank]);
});

it('marks the smallest piece that contains the query, for every piece of a text', () => {
  for (const text of ['Große Straße, Łódź – “İstanbul”', 'ﬁne  Ǆ ½ ㍿', 'Nguyễn Văn Ă', 'नमस्ते दुनिया'])
    for (let start = 0; start < text.length; start++)
      for (let end = start + 1; end <= text.length; end++) {
        const query = text.slice(start, end);
        const wanted = fold(query);
        if (wanted === '' || !fold(text).includes(wanted)) continue;
        const found = explainMatch(item(text), query, 'Contains', keys)!;
        const piece = text.slice(found.start, found.end);
        expect({ text, query, piece, folded: fold(piece).includes(wanted) }).toMatchObject({ folded: true });
        const signs = [...characters.segment(piece)].map(({ segment }) => segment);
        for (const less of [signs.slice(1), signs.slice(0, -1)])
          expect({ text, query, less, folded: fold(less.join('')).includes(wanted) }).toMatchObject({
            folded: false,
          });
      }
});

it('names the text that matched best: the rank first, then the shown label, the value, included labels', () => {
  const labels = { default: 'Island', nl: 'IJsland', fr: 'Islande' };
  const explain = (query: string, value: string, mode: 'Contains' | 'StartsWith' | 'Exact' = 'Contains') =>
    explainMatch({ value, labels }, query, mode, { shown: 'nl', included: ['fr'] });
  expect(explain('is', 'IS')).toMatchObject({ key: 'value', rank: 'exact', start: 0, end: 2 });
  expect(explain('sland', 'x')).toMatchObject({ key: 'nl', rank: 'contains', start: 2, end: 7 });
  expect(explain('island', 'x')).toMatchObject({ key: 'fr', rank: 'prefix' });
  expect(explain('island', 'x', 'Exact')).toBeNull();
  expect(explain('', 'x')).toBeNull();
  expect(explain('nowhere', 'x')).toBeNull();
});

it('of an item without the shown label names the default label, which is shown', () => {
  const found = explainMatch(item('Iceland'), 'ice', 'Contains', { shown: 'nl', included: [] });
  expect(found).toMatchObject({ key: 'default', start: 0, end: 3 });
});
