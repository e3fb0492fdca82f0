import { fold } from '@canvass/postgres';
import type { DataListItem } from '@canvass/contracts';
import { defaultKey } from '../catalog';
import { gradeOfText, grades, type MatchMode } from '../search';

/** The reason why an item was found. */
export interface ItemMatch {
  /** `value`, or the key of the label. */
  key: string;
  /** The matching piece of that text, in UTF-16 units: `end` is the place after its last one. */
  start: number;
  end: number;
  rank: 'exact' | 'prefix' | 'contains';
}

const ranks = { [grades.exact]: 'exact', [grades.prefix]: 'prefix', [grades.contains]: 'contains' } as const;

/** Splits a text so that what people see as one character is never cut. */
const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * The text of an item that matched best, and its piece that matched. Of equal ones the shown label comes
 * first, then the value.
 *
 * @param query as typed
 * @param keys `shown` and `included` keys of labels, as the search takes them
 * @returns null without a query, which every item matches
 */
export function explainMatch(
  { value, labels }: DataListItem,
  query: string,
  mode: MatchMode,
  keys: { shown: string; included: readonly string[] },
): ItemMatch | null {
  const wanted = fold(query);
  if (wanted === '') return null;
  const shown = labels[keys.shown] === undefined ? defaultKey : keys.shown;
  const texts: [key: string, text: string | undefined][] = [
    [shown, labels[shown]],
    ['value', value],
    ...keys.included.map((key): [string, string | undefined] => [key, labels[key]]),
  ];
  let best: { key: string; text: string; grade: number } | null = null;
  for (const [key, text] of texts) {
    const grade = text === undefined ? grades.none : gradeOfText(fold(text), wanted, mode);
    if (grade > (best?.grade ?? grades.none)) best = { key, text: text!, grade };
  }
  if (best === null) return null;
  const { key, text, grade } = best;
  return { key, ...pieceOf(text, wanted), rank: ranks[grade as keyof typeof ranks] };
}

/**
 * The first piece of a text whose folded form contains `wanted`. Folding changes lengths (`ß` is `ss`), so
 * the piece is searched: first its end, then its start.
 */
function pieceOf(text: string, wanted: string): { start: number; end: number } {
  const places = [...Array.from(characters.segment(text), ({ index }) => index), text.length];
  const contains = (from: number, to: number) => fold(text.slice(places[from], places[to])).includes(wanted);
  const last = places.length - 1;
  const end = firstIn(0, last, (place) => contains(0, place));
  const start = firstIn(0, end, (place) => !contains(place, end)) - 1;
  return { start: places[Math.max(0, start)]!, end: places[end]! };
}

/** The first number from `low` for which the test holds, or `high`. It holds for all after the first one. */
function firstIn(low: number, high: number, test: (place: number) => boolean): number {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
