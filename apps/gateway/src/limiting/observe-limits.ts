import type { Logger, Metrics } from '@canvass/service-kit';
import { limitKinds, type LimitKind } from './limits';

export interface LimitEvents {
  onRefused(kind: LimitKind): void;
  /** Called with an error when Redis is lost, and with null when it is there. */
  onRedis(error: Error | null): void;
}

/** Registers the metrics of the limits, and logs when Redis is lost and when it is back. */
export function observeLimits(metrics: Metrics, logger: Logger): LimitEvents {
  const refused = metrics.counter({
    name: 'gateway_rate_limited_total',
    help: 'Requests refused with 429, by the limit that was reached.',
    labels: ['limit'],
  });
  for (const limit of limitKinds) refused.inc({ limit }, 0);
  return {
    onRefused: (limit) => refused.inc({ limit }),
    onRedis(error) {
      if (error === null) logger.info({}, 'rate limits are shared through Redis');
      else logger.warn({ error }, 'Redis is unavailable; enforcing rate limits per gateway');
    },
  };
}
