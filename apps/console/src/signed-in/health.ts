import type { Tone } from '@canvass/console-ui';
import { useQuery } from '@tanstack/react-query';
import { faultOf, noAnswer, readConfiguration } from '../api';
import { pathPrefix } from '../base';
import type { Texts } from '../i18n';

export type HealthStatus = 'Healthy' | 'Degraded' | 'Unhealthy';

export interface HealthReport {
  status: HealthStatus;
  checks: { name: string; status: HealthStatus; description: string | null; duration: string }[];
}

export const tones: Readonly<Record<HealthStatus, Tone>> = {
  Healthy: 'good',
  Degraded: 'warn',
  Unhealthy: 'bad',
};

export const wordOf = (status: HealthStatus, texts: Texts): string =>
  ({ Healthy: texts.healthy, Degraded: texts.degraded, Unhealthy: texts.unhealthy })[status];

export const sentenceOf = (status: HealthStatus, texts: Texts): string =>
  ({ Healthy: texts.healthGood, Degraded: texts.healthWarn, Unhealthy: texts.healthBad })[status];

/** The report of the gateway, read every ten seconds. It needs no token. */
export const useHealth = () =>
  useQuery({
    queryKey: ['health'],
    refetchInterval: 10_000,
    queryFn: async ({ signal }): Promise<HealthReport> => {
      const { healthDetailPath } = await readConfiguration();
      const response = await fetch(pathPrefix + healthDetailPath, { signal }).catch((error: unknown) => {
        throw signal.aborted ? error : noAnswer();
      });
      // An unhealthy report is a 503, too.
      const isReport = response.headers.get('content-type')?.startsWith('application/json') === true;
      if (!isReport) throw await faultOf(response);
      return (await response.json()) as HealthReport;
    },
  });
