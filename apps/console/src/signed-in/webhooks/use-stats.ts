import type { components } from '@canvass/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { get } from '../api';
import type { Range } from '../range';

type Attempts = Pick<components['schemas']['WebhookAttemptStats'], 'attempts' | 'outcomes'>;

const day = 24 * 60 * 60 * 1000;

/** The attempts to an endpoint in the last 24 hours, by the hour. */
export const useStats = (endpointId: string) =>
  useQuery({
    queryKey: ['endpoint stats', endpointId],
    staleTime: 60_000,
    refetchInterval: 60_000,
    queryFn: ({ signal }) =>
      get(
        '/api/webhooks/stats',
        { query: { endpointId, bucket: '1h', from: new Date(Date.now() - day).toISOString() } },
        signal,
      ),
  });

/** The attempts to an endpoint in a range. */
export const useStatsIn = (endpointId: string, range: Range) =>
  useQuery({
    queryKey: ['endpoint stats', endpointId, range.key],
    placeholderData: keepPreviousData,
    refetchInterval: range.refresh,
    queryFn: ({ signal }) => get('/api/webhooks/stats', { query: { endpointId, ...range.query() } }, signal),
  });

/** Reads how many deliveries wait, in all and by endpoint. */
export const useBacklog = () =>
  useQuery({
    queryKey: ['backlog'],
    refetchInterval: 10_000,
    queryFn: ({ signal }) => get('/api/webhooks/backlog', {}, signal),
  });

/** Attempts without a 2xx response. */
export const failedOf = ({ attempts, outcomes }: Attempts): number =>
  attempts - ((outcomes as Readonly<Record<string, number>>)['success'] ?? 0);
