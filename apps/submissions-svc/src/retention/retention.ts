import { every, type Loop } from '@canvass/async';
import type { Database } from '@canvass/postgres';
import type { Logger, Metrics } from '@canvass/service-kit';
import type { RetentionSettings } from './retention-settings';
import { runRetention, type Removed } from './run-retention';

const everyMs = 3_600_000;

/** Runs the retention at start and then every hour. */
export function createRetention(deps: {
  db: Database;
  settings: RetentionSettings;
  logger: Logger;
  metrics: Metrics;
  /** Wakes the dispatcher after erasures. */
  wake(): void;
}): Loop {
  const { logger, metrics, wake } = deps;
  const removals = metrics.counter<'what'>({
    name: 'retention_removed_total',
    help: 'Submissions erased (expired, partial) or removed (deleted), and forms removed, by the retention.',
    labels: ['what'],
  });
  const failures = metrics.counter({
    name: 'retention_failures_total',
    help: 'Runs of the retention that failed; the next one is an hour later.',
  });
  return every(
    everyMs,
    async (signal) => {
      const removed = await runRetention({ ...deps, signal });
      const counted = Object.entries(removed) as [keyof Removed, number][];
      for (const [what, count] of counted) removals.inc({ what }, count);
      if (counted.every(([, count]) => count === 0)) return;
      logger.info({ ...removed }, 'removed expired submissions');
      wake();
    },
    {
      atOnce: true,
      onError(error) {
        failures.inc();
        logger.warn({ error }, 'retention run failed; retrying in an hour');
      },
    },
  );
}
