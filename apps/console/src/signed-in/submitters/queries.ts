import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { taggedOf } from '../action';
import { api, get } from '../api';
import { pageSize, type Place } from '../list-state';
import { may, useMe } from '../me';

/** Most submissions whose deliveries are counted before an erasure. */
export const maxCounted = 20;

/** One respondent, with the tag for the erasure. */
export const useSubmitter = (submitterId: string) =>
  useQuery({
    queryKey: ['submitter', submitterId],
    queryFn: ({ signal }) =>
      taggedOf(api.GET('/api/submitters/{submitterId}', { params: { path: { submitterId } }, signal })),
  });

/** The submissions of a respondent in all forms, newest first. */
export const useSubmissionsOf = (submitterId: string, place: Place) =>
  useQuery({
    queryKey: ['submitter-submissions', submitterId, place],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      get(
        '/api/submitters/{submitterId}/submissions',
        {
          path: { submitterId },
          query: { limit: pageSize, total: 'exact', ...place },
        },
        signal,
      ),
  });

/** The profile that a submission was stored with. @param key `<formId>.<submissionId>`; empty for none */
export const useSnapshot = (key: string) =>
  useQuery({
    queryKey: ['snapshot', key],
    enabled: key !== '',
    queryFn: async ({ signal }) => {
      const [formId = '', submissionId = ''] = key.split('.');
      const params = { path: { formId, submissionId } };
      const submission = await get('/api/forms/{formId}/submissions/{submissionId}', params, signal);
      return {
        fields: (submission.submitterProfileSnapshot ?? {}) as Record<string, unknown>,
        at: submission.createdAt,
      };
    },
  });

/** Reads what an erasure would change. It is read each time it is shown. */
export const useErasurePreview = (submitterId: string) =>
  useQuery({
    queryKey: ['erasure-preview', submitterId],
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) =>
      get('/api/submitters/{submitterId}/erasure-preview', { path: { submitterId } }, signal),
  });

/**
 * Reads how many deliveries of these submissions reached how many endpoints. Null until it is known, and for
 * those who may not see deliveries.
 */
export function useSentTo(
  submissionIds: readonly string[],
): { deliveries: number; endpoints: number } | null {
  const isPermitted = may(useMe(), 'listWebhookDeliveries');
  const answers = useQueries({
    queries: (isPermitted ? submissionIds.slice(0, maxCounted) : []).map((entityId) => ({
      queryKey: ['sent', entityId],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const query = { entityId, status: ['delivered' as const], limit: 100 };
        const { items } = await get('/api/webhooks/deliveries', { query }, signal);
        return items.map(({ endpointId }) => endpointId);
      },
    })),
  });
  if (!isPermitted || answers.some(({ data }) => data === undefined)) return null;
  const endpointIds = answers.flatMap(({ data }) => data!);
  return { deliveries: endpointIds.length, endpoints: new Set(endpointIds).size };
}
