import { useQueries } from '@tanstack/react-query';
import { get } from '../api';
import { may, useMe } from '../me';

/** The data lists of these ids; none without the permission to see them. */
export function useLists(ids: readonly string[]) {
  const mayRead = may(useMe(), 'getDataList');
  return useQueries({
    queries: (mayRead ? ids : []).map((id) => ({
      queryKey: ['data-list', id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        get('/api/data-lists/{id}', { path: { id }, query: { includeItems: false } }, signal),
    })),
  });
}
