import { validationProblem } from '@canvass/errors';
import type { Queryable } from '@canvass/postgres';
import {
  countDifference,
  selectDifference,
  type Difference,
  type DifferenceKind,
  type ItemDifference,
} from './difference.sql';
import { fold } from './fold';
import type { ItemsVersion } from './items.sql';

export interface DifferenceQuery {
  kind: DifferenceKind;
  /** Contained in the value or a label, compared as a search does. */
  query: string;
  after?: string;
  limit: number;
  counts: boolean;
}

export interface DifferencePage {
  items: ItemDifference[];
  next: string | null;
  /** Null unless asked for. */
  counts: Difference | null;
}

/** Items that one request looks at, at most: about a second. */
const mostLookedAt = 100_000;
/** Items that are looked at in one statement; fewer if the service compares their texts. */
const spanSize = 10_000;
const folded = 2_000;

/**
 * A page of the difference between two versions, by value. Where few items are of the kind or match the
 * query, a page may have fewer items than its limit, even none, before the last one: go on while there is a
 * `next`.
 *
 * @throws {Problem} `validation_failed` for `after`
 */
export async function readDifference(
  db: Queryable,
  before: ItemsVersion,
  after: string,
  { kind, limit, ...query }: DifferenceQuery,
): Promise<DifferencePage> {
  const counts = query.counts ? await countDifference(db, before, after) : null;
  const wanted = fold(query.query);
  const items: ItemDifference[] = [];
  const span = wanted === '' ? spanSize : folded;
  let last = query.after === undefined ? '' : valueOf(query.after);
  for (let looked = 0; looked < mostLookedAt;) {
    const most = wanted === '' ? limit - items.length + 1 : span;
    const found = await selectDifference(db, before, after, { kind, last, span, limit: most });
    for (const item of found.items) {
      if (wanted !== '' && !isMatch(item, wanted)) continue;
      if (items.length === limit) return { items, next: cursorOf(items.at(-1)!.value), counts };
      items.push(item);
    }
    if (found.looked < span) return { items, next: null, counts };
    last = found.end!;
    looked += found.looked;
  }
  return { items, next: cursorOf(last), counts };
}

function isMatch({ value, before, after }: ItemDifference, wanted: string): boolean {
  const texts = [value, ...Object.values(before ?? {}), ...Object.values(after ?? {})];
  return texts.some((text) => fold(text).includes(wanted));
}

const cursorOf = (value: string): string => Buffer.from(value).toString('base64url');

function valueOf(cursor: string): string {
  const value = Buffer.from(cursor, 'base64url').toString();
  if (cursorOf(value) === cursor && !value.includes('\0')) return value;
  throw validationProblem({ after: ['must be `next` of a page of this difference'] });
}
