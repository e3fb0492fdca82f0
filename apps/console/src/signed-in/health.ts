import type { Tone } from '@canvass/console-ui';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Fault, outagesOf, readHealth, type HealthReport, type HealthStatus, type Outage } from '../api';

export const tones: Readonly<Record<HealthStatus, Tone>> = {
  Healthy: 'good',
  Degraded: 'warn',
  Unhealthy: 'bad',
};

const isNoAnswer = (error: Error | null): boolean => error instanceof Fault && error.status === 0;

/** The report of the gateway, read every ten seconds for all panels together; more often in an outage. */
export const useHealth = (): UseQueryResult<HealthReport> =>
  useQuery<HealthReport>({
    queryKey: ['health'],
    refetchInterval: ({ state: { data, error } }) =>
      isNoAnswer(error) || outagesOf(data).length > 0 ? 3_000 : 10_000,
    queryFn: ({ signal }) => readHealth(signal),
  });

/** What does not work now. `isCut`: the gateway itself does not answer. */
export function useOutages(): { isCut: boolean; outages: readonly Outage[] } {
  const { data, error } = useHealth();
  const isCut = isNoAnswer(error);
  return { isCut, outages: isCut ? [] : outagesOf(data) };
}
