import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { get } from '../api';
import type { Range } from '../range';

/** Submissions of all forms by time. */
export const useSubmissionNumbers = (range: Range) =>
  useQuery({
    queryKey: ['submission-overview', range.key],
    placeholderData: keepPreviousData,
    refetchInterval: range.refresh,
    queryFn: ({ signal }) => get('/api/stats/overview', { query: range.query() }, signal),
  });

/** Attempts by time, the backlog, and the endpoints in most trouble. */
export const useDeliveryNumbers = (range: Range) =>
  useQuery({
    queryKey: ['webhook-overview', range.key],
    placeholderData: keepPreviousData,
    refetchInterval: range.refresh,
    queryFn: ({ signal }) => get('/api/webhooks/overview', { query: range.query() }, signal),
  });

/** Long jobs that run now. */
export const useRunningJobs = () =>
  useQuery({
    queryKey: ['running-jobs'],
    refetchInterval: 5_000,
    queryFn: async ({ signal }) => {
      const query = { state: 'running', limit: 10 } as const;
      const { items } = await get('/api/webhooks/jobs', { query }, signal);
      return items;
    },
  });
