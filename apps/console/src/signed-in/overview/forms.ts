import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { usePreferences } from '../../i18n';
import { get } from '../api';
import type { Range } from '../range';

/** Forms of which answers are counted on the overview. */
const maxCounted = 5;

/** The newest forms, and whether there are others. */
export const useNewestForms = (isEnabled: boolean) =>
  useQuery({
    queryKey: ['forms', 'overview'],
    enabled: isEnabled,
    queryFn: ({ signal }) =>
      get('/api/forms', { query: { limit: 100, fields: 'id,name,lastSubmissionAt' } }, signal),
  });

export type NewestForms = NonNullable<ReturnType<typeof useNewestForms>['data']>;

/** The forms that were answered last, with their answers by day. */
export function useAnsweredForms({ items }: NewestForms, range: Range) {
  const { zone } = usePreferences();
  const timeZone = zone || Intl.DateTimeFormat().resolvedOptions().timeZone;
  const answered = items
    .filter(({ lastSubmissionAt }) => lastSubmissionAt)
    .sort((one, other) => Date.parse(other.lastSubmissionAt!) - Date.parse(one.lastSubmissionAt!))
    .slice(0, maxCounted);
  const stats = useQueries({
    queries: answered.map(({ id }) => ({
      queryKey: ['form stats', id, range.key, timeZone],
      placeholderData: keepPreviousData,
      refetchInterval: 60_000,
      queryFn: ({ signal }: { signal: AbortSignal }) => {
        const { from, to } = range.query();
        const params = { path: { formId: id! }, query: { timeZone, from, ...(to && { to }) } };
        return get('/api/forms/{formId}/stats', params, signal);
      },
    })),
  });
  return answered.map((form, index) => ({ ...form, stats: stats[index]?.data }));
}
