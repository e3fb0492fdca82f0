import type { ItemOrder } from './search-data';
import { eachWithMarks, edge, marksOf, type TextBlock } from './text-block';

export const matchModes = ['Contains', 'StartsWith', 'Exact'] as const;
export type MatchMode = (typeof matchModes)[number];

/** The quality of a match; larger is better. */
export const grades = { none: 0, contains: 1, prefix: 2, exact: 3 } as const;

const minGrades: Record<MatchMode, number> = {
  Contains: grades.contains,
  StartsWith: grades.prefix,
  Exact: grades.exact,
};

export interface Window {
  limit: number;
  offset: number;
}

/** The terms of a search. */
export interface Wanted {
  /** The letters of the query, which is folded and not empty. */
  letters: Uint16Array;
  minGrade: number;
  /** The marks that every text with a match has. */
  marks: readonly number[];
}

export function wantedOf(query: string, mode: MatchMode): Wanted {
  const before = mode === 'Contains' ? '' : edge;
  const after = mode === 'Exact' ? edge : '';
  return {
    letters: Uint16Array.from(query.split(''), (letter) => letter.charCodeAt(0)),
    minGrade: minGrades[mode],
    marks: marksOf(before + query + after),
  };
}

/** Up to this number of matches of a grade are sorted. More are found by walking along the order. */
const maxSorted = 4096;

/** The best grade of each item in the texts that were searched so far. */
export class Matches {
  private readonly gradeOf: Uint8Array;
  /** Number of items, by grade. */
  private readonly counts: number[];

  /** `maxGrade`: better matches count as this grade, so that `contains` sorts all matches alike. */
  constructor(
    private readonly order: ItemOrder,
    private readonly maxGrade: number = grades.exact,
  ) {
    const count = order.rankOf.length;
    this.gradeOf = new Uint8Array(count);
    this.counts = [count, 0, 0, 0];
  }

  get total(): number {
    return this.gradeOf.length - this.counts[grades.none]!;
  }

  /** Searches the texts of some items. `first` is the position of the first one. */
  add(block: TextBlock, first: number, wanted: Wanted): void {
    const { gradeOf, counts } = this;
    eachWithMarks(block, wanted.marks, (index) => {
      const found = gradeAt(block, index, wanted);
      const grade = Math.min(found, this.maxGrade);
      const before = gradeOf[first + index]!;
      if (found < wanted.minGrade || grade <= before) return;
      gradeOf[first + index] = grade;
      counts[before]!--;
      counts[grade]!++;
    });
  }

  /** The positions of a page: exact matches first, then prefixes, then the rest, each in display order. */
  page({ limit, offset }: Window): Uint32Array {
    const page: number[] = [];
    let start = offset;
    for (const grade of [grades.exact, grades.prefix, grades.contains]) {
      const count = this.counts[grade]!;
      const end = Math.min(start + limit - page.length, count);
      if (start < end) {
        const found = count > maxSorted ? this.walk(grade, end) : this.sort(grade);
        for (const rank of found.subarray(start, end)) page.push(this.order.positionAt[rank]!);
      }
      start = Math.max(0, start - count);
    }
    return Uint32Array.from(page);
  }

  /** The first `end` ranks of a grade. */
  private walk(grade: number, end: number): Uint32Array {
    const ranks = new Uint32Array(end);
    for (let rank = 0, found = 0; found < end; rank++)
      if (this.gradeOf[this.order.positionAt[rank]!] === grade) ranks[found++] = rank;
    return ranks;
  }

  /** All ranks of a grade. */
  private sort(grade: number): Uint32Array {
    const ranks = new Uint32Array(this.counts[grade]!);
    for (let position = 0, found = 0; found < ranks.length; position++)
      if (this.gradeOf[position] === grade) ranks[found++] = this.order.rankOf[position]!;
    return ranks.sort();
  }
}

/** The grade of a text of a block. A grade below the minimum may be returned as `none`. */
function gradeAt(
  { letters, starts }: TextBlock,
  index: number,
  { letters: query, minGrade }: Wanted,
): number {
  const start = starts[index]!;
  const last = starts[index + 1]! - query.length;
  if (last < start) return grades.none;
  if (isAt(letters, start, query)) return last === start ? grades.exact : grades.prefix;
  if (minGrade > grades.contains) return grades.none;
  for (let at = start + 1; at <= last; at++) if (isAt(letters, at, query)) return grades.contains;
  return grades.none;
}

function isAt(letters: Uint16Array, at: number, query: Uint16Array): boolean {
  for (let n = 0; n < query.length; n++) if (letters[at + n] !== query[n]) return false;
  return true;
}

/** The grade of one text, folded as the query. */
export function gradeOfText(text: string, query: string, mode: MatchMode): number {
  const grade = text.startsWith(query)
    ? text.length === query.length
      ? grades.exact
      : grades.prefix
    : text.includes(query)
      ? grades.contains
      : grades.none;
  return grade >= minGrades[mode] ? grade : grades.none;
}
