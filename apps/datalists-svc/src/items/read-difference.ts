import { validationProblem } from '@canvass/errors';
import type { Queryable } from '@canvass/postgres';
import { LRUCache } from 'lru-cache';
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

/** Items of each version that one request reads, at most: some hundredths of a second. */
const mostRead = 10_000;
/** Fewer if the service compares their texts. */
const mostFolded = 2_000;
/** The first statement finds a page where the versions differ much. The next ones read four times as many. */
const firstSpan = 200;

/** The counts of pairs of versions. Versions never change, so a large pair is counted once per process. */
const countsOfPair = new LRUCache<string, Promise<Difference>>({ max: 1_000 });

/**
 * A page of the difference between two versions, by value. Where few items are of the kind or match the
 * query, a page may have fewer items than its limit, even none, before the last one: go on while there is a
 * `next`.
 *
 * @param most items of each version that are read
 * @throws {Problem} `validation_failed` for `after`
 */
export async function readDifference(
  db: Queryable,
  before: ItemsVersion,
  after: string,
  { kind, limit, ...query }: DifferenceQuery,
  most?: number,
): Promise<DifferencePage> {
  const counts = query.counts ? await countOnce(db, before, after) : null;
  const wanted = fold(query.query);
  const items: ItemDifference[] = [];
  let last = query.after === undefined ? '' : valueOf(query.after);
  let left = most ?? (wanted === '' ? mostRead : mostFolded);
  for (let span = Math.max(firstSpan, limit + 1); left > 0; left -= span, span = Math.min(span * 4, left)) {
    const wantedHere = wanted === '' ? limit - items.length + 1 : span;
    const found = await selectDifference(db, before, after, { kind, last, span, limit: wantedHere });
    for (const item of found.items) {
      if (wanted !== '' && !isMatch(item, wanted)) continue;
      if (items.length === limit) return { items, next: cursorOf(items.at(-1)!.value), counts };
      items.push(item);
    }
    if (found.end === null) return { items, next: null, counts };
    last = found.end;
  }
  return { items, next: cursorOf(last), counts };
}

/** Requests for the same pair wait for one count. A count that failed is not kept. */
function countOnce(
  db: Queryable,
  { tenantId, listId, version }: ItemsVersion,
  after: string,
): Promise<Difference> {
  const pair = [tenantId, listId, version, after].join('/');
  const known = countsOfPair.get(pair);
  if (known !== undefined) return known;
  const counted = countDifference(db, { tenantId, listId, version }, after);
  countsOfPair.set(pair, counted);
  counted.catch(() => countsOfPair.delete(pair));
  return counted;
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
