import { countBits } from './bitmap';
import { buildGrams } from './grams';
import { gradeOfText, matchColumn, Matches, matchModes } from './matches';
import type { Slices } from '../slices';
import { TextColumnBuilder, type TextColumn } from './text-column';

/** Numbers from 0 up to `below`, the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const alphabets = {
  'a few letters': [...'abc '],
  'Latin and digits': [...'abcdefghijklmnopqrstuvwxyz0123456789 -'],
  'more letters than fit into a byte': Array.from({ length: 3000 }, (_, n) =>
    String.fromCharCode(0x4e00 + n),
  ),
  'letters of two code units': [...'😀😁🀄ab'],
  'one letter': ['x'],
};

function columnOf(texts: readonly string[]): TextColumn {
  const builder = new TextColumnBuilder(texts.length);
  for (const text of texts) builder.add(text);
  return builder.finish();
}

/** Each check of the clock ends a slice, so that pauses occur everywhere. */
const slices: Slices = { isOver: () => true, pause: () => Promise.resolve() };

async function graded(
  column: TextColumn,
  query: string,
  mode: (typeof matchModes)[number],
): Promise<number[]> {
  const matches = new Matches(column.starts.length - 1);
  await matchColumn(column, query, mode, matches, slices);
  const found = Array.from({ length: matches.count }, (_, position) =>
    matches.atLeast.reduce((grade, bitmap) => grade + ((bitmap[position >>> 5]! >>> (position & 31)) & 1), 0),
  );
  expect(matches.atLeast.map(countBits)).toEqual(
    [1, 2, 3].map((least) => found.filter((grade) => grade >= least).length),
  );
  matches.clear();
  expect(matches.atLeast.map(countBits)).toEqual([0, 0, 0]);
  return found;
}

describe.each(Object.entries(alphabets))('a column of %s', (_name, letters) => {
  const number = numbers(letters.length);
  const word = (longest: number) =>
    Array.from({ length: number(longest + 1) }, () => letters[number(letters.length)]!).join('');
  const texts = Array.from({ length: 700 }, () => word(9));

  it('finds the same as a scan, with grams and without', async () => {
    const scanned = columnOf(texts);
    const indexed: TextColumn = { ...scanned, grams: await buildGrams(scanned, async () => undefined) };
    const parts = texts.filter((text) => text !== '').map((text) => text.slice(number(text.length)));
    const queries = new Set([
      ...letters.slice(0, 5),
      ...parts.slice(0, 60),
      ...texts.slice(0, 20),
      'ü',
      'abcx',
    ]);
    for (let n = 0; n < 60; n++) queries.add(word(3));
    queries.delete('');
    for (const query of queries) {
      for (const mode of matchModes) {
        const expected = texts.map((text) => gradeOfText(text, query, mode));
        expect([query, mode, await graded(scanned, query, mode)]).toEqual([query, mode, expected]);
        expect([query, mode, await graded(indexed, query, mode)]).toEqual([query, mode, expected]);
      }
    }
  });
});

it('a column checks the number of its texts', () => {
  const builder = new TextColumnBuilder(2);
  builder.add('a');
  expect(() => builder.finish()).toThrow('1 texts instead of 2');
});

it('a column of no texts holds nothing', async () => {
  expect(await graded(columnOf([]), 'a', 'Contains')).toEqual([]);
});
