import type { GridRows } from '@canvass/console-ui/grid';
import {
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { Place } from './list-state';

/** Rows of a request. */
const limit = 200;
/** Requests whose rows are kept: those that are far from what one sees are forgotten. */
const maxPages = 10;
/** Rows that are shown as places after the last one in memory while there are more. */
const ahead = 20;

/** The query of a request of rows. */
export interface KeyPageQuery extends Place {
  limit: number;
  total: 'none' | 'exact';
}

/** A page, as the API returns it. */
export interface KeyPage<Row> {
  items: Row[];
  next: string | null;
  previous: string | null;
  total: number | null;
  totalIsExact: boolean;
  /** Services that did not answer, of a list that several of them have. */
  unavailable?: readonly unknown[];
}

/** The place where a request begins or ends, by key and by position. */
interface Edge extends Place {
  position: number;
}

export interface KeyRowsOptions<Row> {
  queryKey: readonly unknown[];
  read(query: KeyPageQuery, signal: AbortSignal): Promise<KeyPage<Row>>;
  /** Milliseconds between two readings of a list that changes by itself. */
  refetchInterval?: number;
  /** Returns whether the rows are read again when the page is opened again. Else they are when one asks. */
  isFresh?: boolean;
}

/**
 * The rows of a list, for a grid. Rows that others add meanwhile do not move the ones in
 * memory. The number of rows is asked for apart, so that the rows do not wait for it.
 */
export function useKeyRows<Row>({ queryKey, read, refetchInterval, isFresh = false }: KeyRowsOptions<Row>) {
  const client = useQueryClient();
  const rowsKey = [...queryKey, 'rows'];
  const query = useInfiniteQuery({
    queryKey: rowsKey,
    initialPageParam: { position: 0 } as Edge,
    maxPages,
    staleTime: isFresh ? 0 : Infinity,
    refetchInterval: refetchInterval ?? false,
    placeholderData: keepPreviousData,
    async queryFn({ pageParam: { position, ...place }, signal }) {
      const page = await read({ limit, total: 'none', ...place }, signal);
      const start = place.before === undefined ? position : Math.max(0, position - page.items.length);
      return { ...page, start };
    },
    getNextPageParam: ({ next, start, items }): Edge | undefined =>
      next === null ? undefined : { after: next, position: start + items.length },
    // Records that were created since are before the first one. They are shown when one refreshes the list.
    getPreviousPageParam: ({ previous, start }): Edge | undefined =>
      previous === null || start === 0 ? undefined : { before: previous, position: start },
  });
  const total = useQuery({
    queryKey: [...queryKey, 'total'],
    refetchInterval: refetchInterval ?? false,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => read({ limit: 1, total: 'exact' }, signal),
  });

  const { data, hasNextPage, hasPreviousPage, isFetching, isError, fetchNextPage, fetchPreviousPage } = query;
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const start = data?.pages[0]?.start ?? 0;
  const end = start + rows.length;
  const load = useCallback(
    (from: number, to: number) => {
      if (isFetching || isError) return;
      if (to > end && hasNextPage) void fetchNextPage();
      else if (from < start && hasPreviousPage) void fetchPreviousPage();
    },
    [isFetching, isError, start, end, hasNextPage, hasPreviousPage, fetchNextPage, fetchPreviousPage],
  );
  const hasAll = data !== undefined && !hasNextPage;
  const gridRows: GridRows<Row> = {
    rows,
    start,
    count: hasNextPage ? end + ahead : end,
    total: hasAll ? end : (total.data?.total ?? null),
    totalIsExact: hasAll || total.data?.totalIsExact === true,
    load,
  };
  /** Reads the list again from its start. The rows stay until the new ones come. */
  const refresh = () => {
    client.setQueryData<InfiniteData<KeyPage<Row>, Edge>>(rowsKey, (kept) =>
      kept === undefined ? kept : { pages: kept.pages.slice(0, 1), pageParams: [{ position: 0 }] },
    );
    void client.invalidateQueries({ queryKey: [...queryKey] });
  };
  return { query, rows: gridRows, refresh };
}
