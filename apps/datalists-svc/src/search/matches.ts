import { isOwn, letterBucket, pairBucket } from './grams';
import { eachBit } from './bitmap';
import type { Slices } from '../slices';
import { symbolsOf, type Grams, type Symbols, type TextColumn } from './text-column';

export const matchModes = ['Contains', 'StartsWith', 'Exact'] as const;
export type MatchMode = (typeof matchModes)[number];

/** The quality of a match; larger is better. */
export const grades = { none: 0, contains: 1, prefix: 2, exact: 3 } as const;

const leastGrade: Record<MatchMode, number> = {
  Contains: grades.contains,
  StartsWith: grades.prefix,
  Exact: grades.exact,
};

/**
 * Positions that match in any field searched so far: for each grade a bitmap of those with at least that
 * grade.
 */
export class Matches {
  /** By grade, from `contains`. */
  readonly atLeast: readonly [Uint32Array, Uint32Array, Uint32Array];

  constructor(readonly count: number) {
    const words = Math.ceil(count / 32);
    this.atLeast = [new Uint32Array(words), new Uint32Array(words), new Uint32Array(words)];
  }

  add(position: number, grade: number): void {
    const word = position >>> 5;
    const bit = 1 << (position & 31);
    for (let level = 0; level < grade; level++) this.atLeast[level]![word]! |= bit;
  }

  clear(): void {
    for (const bitmap of this.atLeast) bitmap.fill(0);
  }
}

/** Adds the positions of a column whose text matches. `query` is folded and not empty. */
export async function matchColumn(
  column: TextColumn,
  query: string,
  mode: MatchMode,
  matches: Matches,
  slices: Slices,
): Promise<void> {
  const wanted = symbolsOf(column, query);
  if (wanted === null) return;
  const { symbols, starts, grams } = column;
  let least = leastGrade[mode];
  const look = (position: number) => {
    const grade = gradeOf(symbols, starts[position]!, starts[position + 1]! - 1, wanted, least);
    if (grade >= least) matches.add(position, grade);
  };
  if (grams === null) {
    for (let position = 0; position < starts.length - 1; position++) {
      look(position);
      if (slices.isOver()) await slices.pause();
    }
    return;
  }
  if (least === grades.contains && wanted.length <= 2) {
    const all = wanted.length === 1 ? letterBucket(wanted[0]!) : pairBucket(wanted[0]!, wanted[1]!);
    if (isOwn(all)) {
      // The bucket lists the texts that contain it. Only those that begin with it are checked.
      await eachIn(
        grams,
        [all],
        (position) => matches.add(position, grades.contains),
        slices,
        matches.atLeast[0],
      );
      least = grades.prefix;
    }
  }
  await eachIn(grams, bucketsOf(wanted, least), look, slices, null);
}

/** At least one bucket. Together they contain every text that can match. */
function bucketsOf(wanted: Uint16Array, least: number): number[] {
  const buckets: number[] = [];
  if (least > grades.contains) buckets.push(pairBucket(0, wanted[0]!));
  for (let at = 1; at < wanted.length; at++) buckets.push(pairBucket(wanted[at - 1]!, wanted[at]!));
  return buckets.length > 0 ? buckets : [letterBucket(wanted[0]!)];
}

/** Visits the positions that are in every bucket. A single bitmap is added to `into` directly, if given. */
async function eachIn(
  { counts, begins, lists, bitmaps, words }: Grams,
  buckets: readonly number[],
  visit: (position: number) => void,
  slices: Slices,
  into: Uint32Array | null,
): Promise<void> {
  const dense: number[] = [];
  let shortest: number | null = null;
  for (const bucket of buckets) {
    if (counts[bucket]! > words) dense.push(begins[bucket]!);
    else if (shortest === null || counts[bucket]! < counts[shortest]!) shortest = bucket;
  }
  if (shortest !== null) {
    let at = begins[shortest]!;
    let position = -1;
    for (let left = counts[shortest]!; left > 0; left--) {
      let byte = lists[at++]!;
      let gap = byte & 0x7f;
      for (let shift = 7; byte >= 0x80; shift += 7) {
        byte = lists[at++]!;
        gap |= (byte & 0x7f) << shift;
      }
      position += gap;
      if (isInAll(bitmaps, dense, position)) visit(position);
      if (slices.isOver()) await slices.pause();
    }
    return;
  }
  for (let word = 0; word < words; word++) {
    let bits = -1;
    for (const begin of dense) bits &= bitmaps[begin + word]!;
    if (into !== null) into[word]! |= bits;
    else {
      eachBit(bits, word, visit);
      if (slices.isOver()) await slices.pause();
    }
  }
}

function isInAll(bitmaps: Uint32Array, begins: readonly number[], position: number): boolean {
  for (const begin of begins) {
    if (((bitmaps[begin + (position >>> 5)]! >>> (position & 31)) & 1) === 0) return false;
  }
  return true;
}

/** The grade of the text between `start` and `end`. A grade below `least` may be returned as no match. */
function gradeOf(symbols: Symbols, start: number, end: number, wanted: Uint16Array, least: number): number {
  const last = end - wanted.length;
  if (last < start) return grades.none;
  if (isAt(symbols, start, wanted)) return last === start ? grades.exact : grades.prefix;
  if (least > grades.contains) return grades.none;
  for (let at = start + 1; at <= last; at++) if (isAt(symbols, at, wanted)) return grades.contains;
  return grades.none;
}

function isAt(symbols: Symbols, at: number, wanted: Uint16Array): boolean {
  for (let n = 0; n < wanted.length; n++) if (symbols[at + n] !== wanted[n]) return false;
  return true;
}

/** The grade of a text outside of a column. */
export function gradeOfText(text: string, query: string, mode: MatchMode): number {
  const grade = text.startsWith(query)
    ? text.length === query.length
      ? grades.exact
      : grades.prefix
    : text.includes(query)
      ? grades.contains
      : grades.none;
  return grade >= leastGrade[mode] ? grade : grades.none;
}
