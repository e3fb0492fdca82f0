import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, get } from '../api';
import type { DataList } from './list-frame';

/** The newest versions of the items of a list, and the way back to one. */
export function useVersions({ id, revision }: DataList) {
  const cache = useQueryClient();
  const versions = useQuery({
    queryKey: ['versions', id, revision],
    queryFn: ({ signal }) =>
      get('/api/data-lists/{id}/versions', { path: { id }, query: { limit: 200 } }, signal),
  });
  const restore = useMutation({
    mutationFn: (number: number) =>
      dataOf(
        api.POST('/api/data-lists/{id}/versions/{number}/restore', {
          params: { path: { id, number } },
          headers: { 'If-Match': `"${revision}"` },
        }),
      ),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['data-list', id] }),
  });
  return { versions, restore };
}
