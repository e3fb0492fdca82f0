import { cursorAt, keySliceOf, newestFirst, positionOf, type KeySource } from '@canvass/postgres';
import type { KeyPage, KeyQuery } from '@canvass/service-kit';

/** Largest total of a list. */
const maxTotal = 10_000;

/**
 * The window of a part of a merged list: it begins at the same place as that of the whole, and has one row
 * more, which shows whether further rows follow.
 *
 * @param list stands for the whole list in cursors
 * @param part the rows of one service
 * @throws {Problem} `validation_failed` that names `after` or `before`
 */
export function windowOfPart(list: KeySource, part: KeySource, window: KeyQuery): KeyQuery {
  const place = positionOf([list], newestFirst, window);
  const cursor = place && cursorAt([part], newestFirst, [place.id]);
  const { limit, total } = window;
  return { limit: limit + 1, total, [window.after === undefined ? 'before' : 'after']: cursor };
}

/** Merges the parts of a list, newest first: ids grow with time in all services. */
export function mergePages<Row extends { id: string }>(
  list: KeySource,
  window: KeyQuery,
  parts: readonly KeyPage<Row>[],
): KeyPage<Row> {
  const sign = window.before === undefined ? 1 : -1;
  const found = parts
    .flatMap(({ items }) => items.map((row) => ({ row, keys: [row.id] })))
    .sort((a, b) => (BigInt(a.row.id) < BigInt(b.row.id) ? sign : -sign))
    .slice(0, window.limit + 1);
  const { rows, next, previous } = keySliceOf(found, [list], newestFirst, window);
  const sum = parts.reduce((total, part) => total + (part.total ?? 0), 0);
  const isCounted = window.total === 'exact';
  return {
    items: rows.map(({ row }) => row),
    next,
    previous,
    total: isCounted ? Math.min(sum, maxTotal) : null,
    totalIsExact: isCounted && sum <= maxTotal && parts.every(({ totalIsExact }) => totalIsExact),
  };
}

/** A window as query parameters. */
export const parametersOf = ({ after, before, limit, total }: KeyQuery): Record<string, string> => ({
  ...(after !== undefined && { after }),
  ...(before !== undefined && { before }),
  limit: String(limit),
  total,
});
