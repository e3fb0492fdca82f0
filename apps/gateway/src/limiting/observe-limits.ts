import type { Logger, Metrics } from '@canvass/service-kit';
import type { LedgerEvents } from './ledger';
import type { LimitKind } from './limits';

export interface LimitCounts extends LedgerEvents {
  refused(kind: LimitKind): void;
}

/** Registers what the limits do, and tells in the log when the ledger goes away and comes back. */
export function observeLimits(metrics: Metrics, logger: Logger): LimitCounts {
  const refused = metrics.counter({
    name: 'gateway_rate_limited_total',
    help: 'Requests refused with 429, by the limit that was reached.',
    labels: ['limit'],
  });
  const wishes = metrics.counter({
    name: 'gateway_rate_limit_leases_total',
    help: 'Leases of rate budgets asked for at identity-svc.',
    labels: ['outcome'],
  });
  for (const limit of ['address', 'account', 'formToken']) refused.inc({ limit }, 0);
  for (const outcome of ['lent', 'failed']) wishes.inc({ outcome }, 0);
  return {
    refused: (limit) => refused.inc({ limit }),
    onAsked: (outcome, count) => wishes.inc({ outcome }, count),
    onAway(error) {
      if (error === null) logger.info({}, 'rate limits hold over all gateways again');
      else
        logger.warn(
          { error },
          'identity-svc does not count requests: rate limits hold for each gateway alone',
        );
    },
  };
}
