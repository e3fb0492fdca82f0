import { fold, cursorAt, positionOf, type KeyOrder, type Queryable } from '@canvass/postgres';
import type { KeyPage, KeyQuery } from '@canvass/service-kit';
import { LRUCache } from 'lru-cache';
import {
  countDifference,
  selectDifference,
  type Difference,
  type DifferenceKind,
  type ItemDifference,
} from './difference.sql';
import type { ItemsVersion } from './items.sql';

export interface DifferenceQuery extends KeyQuery {
  kind: DifferenceKind;
  /** Contained in the value or a label, compared as a search does. */
  query: string;
  counts: boolean;
}

export interface DifferencePage extends KeyPage<ItemDifference> {
  /** Null unless asked for. */
  counts: Difference | null;
}

/** The order of the values. */
const byValue: KeyOrder = { name: 'value', direction: 'asc', key: { type: 'text' } };

/** Items of each version that one request reads, at most: some hundredths of a second. */
const maxItems = 10_000;
/** Fewer if the service compares their texts. */
const maxFolded = 2_000;
/** The first statement finds a page where the versions differ much. The next ones read four times as many. */
const firstSpan = 200;

/** The counts of pairs of versions. Versions never change, so a large pair is counted once per process. */
const countsOfPair = new LRUCache<string, Promise<Difference>>({ max: 1_000 });

/**
 * A page of the difference between two versions, by value. Where few items are of the kind or match the
 * query, a page may have fewer items than its limit, even none, before the last one: go on while there is a
 * `next`.
 *
 * @throws {Problem} `validation_failed` for an invalid cursor
 */
export async function readDifference(
  db: Queryable,
  versions: ItemsVersion,
  to: string,
  { kind, query, counts: withCounts, ...window }: DifferenceQuery,
): Promise<DifferencePage> {
  const { tenantId, listId, version } = versions;
  const list = [{ text: 'difference', values: [tenantId, listId, version, to, kind, query] }];
  const place = positionOf(list, byValue, window)?.key;
  const isBackward = window.before !== undefined;
  const wanted = fold(query);
  const asked = { kind, wanted, start: place ?? '', isBackward };
  const { items, rest } = await walkDifference(db, versions, to, { ...asked, limit: window.limit });
  if (isBackward) items.reverse();
  const cursor = (value: string) => cursorAt(list, byValue, ['0', value]);
  const goOn = rest === null ? null : cursor(rest);
  const goBack = (value: string | undefined, end: string) => cursor(value ?? rest ?? end);
  const isCounted = withCounts || (window.total === 'exact' && wanted === '');
  const counts = isCounted ? await countOnce(db, versions, to) : null;
  return {
    items,
    next: isBackward ? goBack(items.at(-1)?.value, '') : goOn,
    previous: isBackward ? goOn : window.after === undefined ? null : goBack(items[0]?.value, lastText),
    ...(window.total === 'none'
      ? { total: null, totalIsExact: false }
      : await totalOf(db, versions, to, { kind, wanted, number: counts?.[kind] ?? 0 })),
    counts: withCounts ? counts : null,
  };
}

/** A text after all others. */
const lastText = '\u{10ffff}';

/** Largest total of a list. */
const maxTotal = 10_000;

/** All items of the kind are counted. Of a query it is those that one walk finds. */
async function totalOf(
  db: Queryable,
  versions: ItemsVersion,
  to: string,
  { kind, wanted, number }: { kind: DifferenceKind; wanted: string; number: number },
): Promise<{ total: number; totalIsExact: boolean }> {
  if (wanted === '') return { total: Math.min(number, maxTotal), totalIsExact: number <= maxTotal };
  const all = { kind, wanted, start: '', isBackward: false, limit: maxTotal };
  const { items, rest } = await walkDifference(db, versions, to, all);
  return { total: items.length, totalIsExact: rest === null };
}

export interface DifferenceWalk {
  kind: DifferenceKind;
  /** Folded; empty for all items. */
  wanted: string;
  /** The value before the first. */
  start: string;
  isBackward: boolean;
  limit: number;
  /** Largest number of items of each version that are read. */
  maxRead?: number;
}

/**
 * The next items of a difference in the order of reading.
 *
 * @returns `rest`: where to go on; null at the end of both versions
 */
export async function walkDifference(
  db: Queryable,
  versions: ItemsVersion,
  to: string,
  { kind, wanted, start, isBackward, limit, maxRead = wanted === '' ? maxItems : maxFolded }: DifferenceWalk,
): Promise<{ items: ItemDifference[]; rest: string | null }> {
  const items: ItemDifference[] = [];
  let last = start;
  let left = maxRead;
  for (
    let span = Math.min(left, Math.max(firstSpan, limit + 1));
    left > 0;
    left -= span, span = Math.min(span * 4, left)
  ) {
    const wantedHere = wanted === '' ? limit - items.length + 1 : span;
    const asked = { kind, last, span, limit: wantedHere };
    const found = await selectDifference(db, versions, to, isBackward ? 'desc' : 'asc', asked);
    for (const item of found.items) {
      if (wanted !== '' && !isMatch(item, wanted)) continue;
      if (items.length === limit) return { items, rest: items.at(-1)!.value };
      items.push(item);
    }
    if (found.end === null) return { items, rest: null };
    last = found.end;
  }
  return { items, rest: last };
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
