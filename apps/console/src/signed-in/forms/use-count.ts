import { useQuery } from '@tanstack/react-query';
import { get } from '../api';
import { may, useMe } from '../me';

/** How many submissions of a form match a filter; not read without the permission to see them. */
export function useCount(formId: string, filter: readonly string[] = []) {
  const mayCount = may(useMe(), 'listSubmissions');
  return useQuery({
    queryKey: ['submissions', formId, 'count', filter],
    enabled: mayCount,
    queryFn: async ({ signal }) => {
      const query = { limit: 1, fields: 'id', total: 'exact' as const, filter: [...filter] };
      const params = { path: { formId }, query };
      const { total, totalIsExact } = await get('/api/forms/{formId}/submissions', params, signal);
      return { total: total!, isExact: totalIsExact };
    },
  });
}
