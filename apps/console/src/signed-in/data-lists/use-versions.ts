import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../api';
import type { DataList } from './list-frame';

/** The newest versions of the items of a list, and the way back to one. */
export function useVersions({ id, revision }: DataList) {
  const cache = useQueryClient();
  const versions = useQuery({
    queryKey: ['versions', id, revision],
    queryFn: ({ signal }) => {
      const params = { path: { id }, query: { limit: 200 } };
      return dataOf(api.GET('/api/data-lists/{id}/versions', { params, signal }));
    },
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
