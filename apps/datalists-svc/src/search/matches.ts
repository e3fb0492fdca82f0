import { letterBucket, pairBucket, type Grams } from './grams';
import { symbolsOf, type Symbols, type TextColumn } from './text-column';

export const matchModes = ['Contains', 'StartsWith', 'Exact'] as const;
export type MatchMode = (typeof matchModes)[number];

/** How well a text matches; the better the larger. */
export const grades = { none: 0, contains: 1, prefix: 2, exact: 3 } as const;

const leastGrade: Record<MatchMode, number> = {
  Contains: grades.contains,
  StartsWith: grades.prefix,
  Exact: grades.exact,
};

/** Positions that match in any of the fields searched so far, each with its best grade. */
export class Matches {
  /** By position. */
  readonly grade: Uint8Array;
  private readonly found: Uint32Array;
  private size = 0;

  constructor(readonly count: number) {
    this.grade = new Uint8Array(count);
    this.found = new Uint32Array(count);
  }

  /** In no order. */
  get positions(): Uint32Array {
    return this.found.subarray(0, this.size);
  }

  add(position: number, grade: number): void {
    const known = this.grade[position]!;
    if (known === grades.none) this.found[this.size++] = position;
    if (grade > known) this.grade[position] = grade;
  }

  clear(): void {
    if (this.size > this.count / 16) this.grade.fill(0);
    else for (const position of this.positions) this.grade[position] = 0;
    this.size = 0;
  }
}

/** Adds the positions of a column whose text matches. `query` is folded and not empty. */
export function matchColumn(column: TextColumn, query: string, mode: MatchMode, matches: Matches): void {
  const wanted = symbolsOf(column, query);
  if (wanted === null) return;
  const { symbols, starts, grams } = column;
  const least = leastGrade[mode];
  const look = (position: number) => {
    const grade = gradeOf(symbols, starts[position]!, starts[position + 1]! - 1, wanted, least);
    if (grade >= least) matches.add(position, grade);
  };
  if (grams === null) {
    for (let position = 0; position < starts.length - 1; position++) look(position);
    return;
  }
  const buckets = bucketsOf(wanted, least);
  // The bucket of a letter or pair says all about a query of that length but whether it is at the start.
  if (grams.exact && least === grades.contains && wanted.length <= 2) {
    eachIn(grams, buckets, (position) => {
      const grade = gradeOf(symbols, starts[position]!, starts[position + 1]! - 1, wanted, grades.prefix);
      matches.add(position, grade === grades.none ? grades.contains : grade);
    });
  } else eachIn(grams, buckets, look);
}

/** Buckets that hold every text that can match; at least one. */
function bucketsOf(wanted: Uint16Array, least: number): number[] {
  const buckets: number[] = [];
  if (least > grades.contains) buckets.push(pairBucket(0, wanted[0]!));
  for (let at = 1; at < wanted.length; at++) buckets.push(pairBucket(wanted[at - 1]!, wanted[at]!));
  return buckets.length > 0 ? buckets : [letterBucket(wanted[0]!)];
}

/** Visits the positions that are in every bucket. */
function eachIn(
  { counts, begins, lists, bitmaps, words }: Grams,
  buckets: readonly number[],
  visit: (position: number) => void,
): void {
  const dense = buckets.filter((bucket) => counts[bucket]! > words).map((bucket) => begins[bucket]!);
  const shortest = buckets
    .filter((bucket) => counts[bucket]! <= words)
    .reduce<number | null>(
      (best, next) => (best === null || counts[next]! < counts[best]! ? next : best),
      null,
    );
  if (shortest !== null) {
    const end = begins[shortest]! + counts[shortest]!;
    for (let at = begins[shortest]!; at < end; at++) {
      const position = lists[at]!;
      if (dense.every((begin) => (bitmaps[begin + (position >>> 5)]! >>> (position & 31)) & 1))
        visit(position);
    }
    return;
  }
  for (let word = 0; word < words; word++) {
    let bits = -1;
    for (const begin of dense) bits &= bitmaps[begin + word]!;
    for (; bits !== 0; bits &= bits - 1) visit(word * 32 + (31 - Math.clz32(bits & -bits)));
  }
}

/** The grade of the text between `start` and `end`; below `least` it may be told as none. */
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

/** The grade of one text that is in no column. */
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
