import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../api';
import { may, useMe } from '../me';
import type { Range } from '../range';

/** Submissions of all forms by time. */
export const useSubmissionNumbers = (range: Range) =>
  useQuery({
    queryKey: ['submission-overview', range.key],
    placeholderData: keepPreviousData,
    refetchInterval: range.refresh,
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/stats/overview', { params: { query: range.query() }, signal })),
  });

/** Attempts by time, the backlog, and the endpoints in most trouble. */
export const useDeliveryNumbers = (range: Range) =>
  useQuery({
    queryKey: ['webhook-overview', range.key],
    placeholderData: keepPreviousData,
    refetchInterval: range.refresh,
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/webhooks/overview', { params: { query: range.query() }, signal })),
  });

/** Long jobs that run now. */
export const useRunningJobs = () =>
  useQuery({
    queryKey: ['running-jobs'],
    refetchInterval: 5_000,
    queryFn: async ({ signal }) => {
      const query = { state: 'running', limit: 10 } as const;
      const { items } = await dataOf(api.GET('/api/webhooks/jobs', { params: { query }, signal }));
      return items;
    },
  });

/** Reads the health of all copies of a service, by the name of its check in the gateway. */
const readers = {
  'submissions-svc': {
    operation: 'getHealthOfSubmissions',
    read: (signal: AbortSignal) => dataOf(api.GET('/api/operations/health/submissions', { signal })),
  },
  'datalists-svc': {
    operation: 'getHealthOfDataLists',
    read: (signal: AbortSignal) => dataOf(api.GET('/api/operations/health/data-lists', { signal })),
  },
  'identity-svc': {
    operation: 'getHealthOfIdentity',
    read: (signal: AbortSignal) => dataOf(api.GET('/api/operations/health/identity', { signal })),
  },
  'webhook-relay-svc': {
    operation: 'getHealthOfWebhookRelay',
    read: (signal: AbortSignal) => dataOf(api.GET('/api/operations/health/webhooks', { signal })),
  },
};

const isService = (name: string): name is keyof typeof readers => Object.hasOwn(readers, name);

/**
 * The failed checks of services, with their copy and since when they fail. A service that does not answer
 * has none.
 *
 * @param services names of checks of the gateway that failed
 */
export function useFailedChecks(services: readonly string[]) {
  const me = useMe();
  const asked = services.filter(isService).filter((name) => may(me, readers[name].operation));
  const answers = useQueries({
    queries: asked.map((service) => ({
      queryKey: ['service-health', service],
      refetchInterval: 10_000,
      queryFn: ({ signal }: { signal: AbortSignal }) => readers[service].read(signal),
    })),
  });
  return answers.flatMap(({ data }) =>
    (data?.copies ?? []).flatMap(({ copy, checks }) =>
      checks
        .filter(({ status }) => status !== 'Healthy')
        .map((check) => ({ ...check, copy, service: data!.service })),
    ),
  );
}
