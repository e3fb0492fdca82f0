/** Rows of a request. */
export const pageSize = 200;

/** A page with a number, as the API returns it. */
export interface NumberedPage<Row> {
  items: Row[];
  totalRecords: number;
}

/** Loaded pages that follow each other. */
export interface Run<Row> {
  rows: Row[];
  /** Place of the first row in the list, from 0. */
  start: number;
  /** Rows of the whole list. */
  total: number;
}

/**
 * The longest run of pages that follow each other without a gap.
 *
 * @param from number of the first page, from 0
 */
export function longestRun<Row>(
  pages: readonly (NumberedPage<Row> | undefined)[],
  from: number,
): Run<Row> | null {
  let best: { first: number; end: number } = { first: 0, end: 0 };
  let first = 0;
  pages.forEach((page, index) => {
    if (page === undefined) first = index + 1;
    else if (index + 1 - first > best.end - best.first) best = { first, end: index + 1 };
  });
  const run = pages.slice(best.first, best.end) as NumberedPage<Row>[];
  if (run.length === 0) return null;
  return {
    rows: run.flatMap(({ items }) => items),
    start: (from + best.first) * pageSize,
    total: run[0]!.totalRecords,
  };
}
