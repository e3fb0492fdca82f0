import type { GridRows } from '@canvass/console-ui/grid';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { longestRun, pageSize, type NumberedPage, type Run } from './longest-run';

/** Pages before and after those that are asked for, so that one who scrolls does not wait for them. */
const spare = 1;
/** Milliseconds for which pages that are no longer near what one sees stay in memory. */
const keptMs = 20_000;

/** The query of a request of rows. */
export interface PageQuery {
  /** Number from 1. */
  page: number;
  pageSize: number;
}

export interface PageRowsOptions<Row> {
  queryKey: readonly unknown[];
  read(query: PageQuery, signal: AbortSignal): Promise<NumberedPage<Row>>;
  /** Returns whether the rows are read again when the page is opened again. */
  isFresh?: boolean;
}

/**
 * The rows of a list of which the API reads any page at once, for a grid: a jump to the last of a million
 * rows reads one page. The list must not change while its key is the same.
 */
export function usePageRows<Row>({ queryKey, read, isFresh = false }: PageRowsOptions<Row>) {
  const client = useQueryClient();
  const name = JSON.stringify(queryKey);
  const [place, setPlace] = useState({ name, from: 0, to: 1 });
  const { from, to } = place.name === name ? place : { from: 0, to: 1 };
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  const pages = useQueries({
    queries: numbers.map((number) => ({
      queryKey: [...queryKey, 'page', number],
      queryFn: ({ signal }: { signal: AbortSignal }) => read({ page: number + 1, pageSize }, signal),
      staleTime: isFresh ? 0 : Infinity,
      gcTime: keptMs,
    })),
  });
  // Until the first page of another filter comes, the rows of the last one stay.
  const last = useRef<Run<Row> | null>(null);
  const loaded = pages.map(({ data }) => data);
  const run = useRunOf(loaded, from) ?? last.current;
  last.current = run;

  const load = useCallback(
    (first: number, end: number) =>
      setPlace((current) => {
        const next = {
          name,
          from: Math.max(0, Math.floor(first / pageSize) - spare),
          to: Math.ceil(end / pageSize) + spare,
        };
        const isSame = current.name === name && current.from === next.from && current.to === next.to;
        return isSame ? current : next;
      }),
    [name],
  );
  const rows: GridRows<Row> = {
    rows: run?.rows ?? [],
    start: run?.start ?? 0,
    count: run?.total ?? 0,
    total: run?.total ?? null,
    totalIsExact: true,
    load,
  };
  const query = {
    data: run ?? undefined,
    error: pages.find(({ error }) => error !== null)?.error ?? null,
    dataUpdatedAt: Math.max(...pages.map(({ dataUpdatedAt }) => dataUpdatedAt)),
    isFetching: pages.some(({ isFetching }) => isFetching),
  };
  return { query, rows, refresh: () => void client.invalidateQueries({ queryKey: [...queryKey] }) };
}

/** The longest run of loaded pages; the same object while these pages are the same. */
function useRunOf<Row>(pages: readonly (NumberedPage<Row> | undefined)[], from: number): Run<Row> | null {
  const kept = useRef<{ pages: typeof pages; from: number; run: Run<Row> | null } | null>(null);
  const isSame =
    kept.current?.from === from &&
    kept.current.pages.length === pages.length &&
    kept.current.pages.every((page, index) => page === pages[index]);
  if (!isSame) kept.current = { pages, from, run: longestRun(pages, from) };
  return kept.current!.run;
}
