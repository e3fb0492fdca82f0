import type { GridRows } from '@canvass/console-ui/grid';
import {
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import type { Place } from './list-state';

/** Rows of a request. */
const limit = 200;
/** Requests whose rows are kept: those that are far from what one sees are forgotten. */
const maxPages = 10;
/** Rows that are shown as places after the last one in memory while there are more. */
const ahead = 20;

/** What a request of rows asks for. */
export interface KeyPageQuery extends Place {
  limit: number;
  total: 'none' | 'estimated' | 'exact';
  /** Created at or after, and before; of a jump only. */
  from?: string;
  to?: string;
}

/** A page by key, as the API returns it. */
export interface KeyPage<Row> {
  items: Row[];
  next: string | null;
  previous: string | null;
  total: number | null;
  totalIsExact: boolean;
}

/** Where a request begins or ends, by key and by position. */
interface Edge extends Place {
  position: number;
}

export interface KeyRowsOptions<Row> {
  queryKey: readonly unknown[];
  read(query: KeyPageQuery, signal: AbortSignal): Promise<KeyPage<Row>>;
  /** Where the list is shown from, if not from its start. Its order must be that of the creation. */
  jump?: Jump | null;
  /** Milliseconds between two readings of a list that changes by itself. */
  refetchInterval?: number;
}

/** A jump to the records that were created before a time, the newest first. */
export interface Jump {
  /** Instant in ISO 8601. */
  at: string;
  /** Times of the filter of the list, which the jump does not leave. */
  from?: string | undefined;
  to?: string | undefined;
}

type ReadPage<Row> = (query: KeyPageQuery) => Promise<KeyPage<Row>>;

/**
 * The page that a jump leads to. The cursor of its first row leads to the rows before it; the number of these
 * is the position of the page.
 */
async function readAt<Row>(read: ReadPage<Row>, { at, from, to }: Jump) {
  const time = Date.parse(at);
  const until = to === undefined || Date.parse(to) > time ? at : to;
  const since = from === undefined || Date.parse(from) < time ? at : from;
  const [page, first, newer] = await Promise.all([
    read({ limit, total: 'none', ...(from !== undefined && { from }), to: until }),
    read({ limit: 1, total: 'none', ...(from !== undefined && { from }), to: until }),
    read({ limit: 1, total: 'exact', from: since, ...(to !== undefined && { to }) }),
  ]);
  const start = newer.total ?? 0;
  // Without a row after the first one there is no cursor: the list ends there.
  return {
    ...page,
    previous: first.next,
    start: first.next === null ? 0 : start,
    isPastEnd: first.next === null,
  };
}

/**
 * The rows of a list that is paged by key, for a grid. Rows that others add meanwhile do not move the ones in
 * memory. The number of rows is asked for apart, so that the rows do not wait for it.
 */
export function useKeyRows<Row>({ queryKey, read, jump = null, refetchInterval }: KeyRowsOptions<Row>) {
  const client = useQueryClient();
  const rowsKey = [...queryKey, 'rows', jump?.at ?? null];
  const query = useInfiniteQuery({
    queryKey: rowsKey,
    initialPageParam: { position: 0 } as Edge,
    maxPages,
    staleTime: Infinity,
    refetchInterval: refetchInterval ?? false,
    placeholderData: keepPreviousData,
    async queryFn({ pageParam: { position, ...place }, signal }) {
      const isFirst = place.after === undefined && place.before === undefined;
      if (jump !== null && isFirst) {
        return { ...(await readAt((own) => read(own, signal), jump)), jumpedTo: jump.at };
      }
      const page = await read({ limit, total: 'none', ...place }, signal);
      const start = place.before === undefined ? position : Math.max(0, position - page.items.length);
      return { ...page, start, isPastEnd: false, jumpedTo: null };
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
    queryFn: ({ signal }) => read({ limit: 1, total: 'estimated' }, signal),
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
  const isPastEnd = data?.pages.some((page) => page.isPastEnd) === true;
  const hasAll = data !== undefined && !hasNextPage && !isPastEnd;
  // The place that was reached stays, also when its page is no longer in memory.
  const anchor = useRef<GridRows<Row>['anchor']>(null);
  const reached = data?.pages.find((page) => page.jumpedTo !== null && !page.isPastEnd);
  if (jump === null) anchor.current = null;
  else if (reached !== undefined) anchor.current = { name: reached.jumpedTo!, position: reached.start };
  const gridRows: GridRows<Row> = {
    rows,
    start,
    count: hasNextPage ? end + ahead : end,
    anchor: anchor.current,
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
  return { query, rows: gridRows, refresh, isPastEnd };
}
