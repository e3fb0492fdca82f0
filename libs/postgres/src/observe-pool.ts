import { setImmediate } from 'node:timers/promises';
import type { Database } from './database';
import { waitingForShare } from './shares';

/** The metrics registry that this library needs; that of service-kit fits. */
export interface PoolMetrics {
  gauge(options: { name: string; help: string; collect: () => number | Promise<number> }): unknown;
}

/** Registers the connection metrics of this process. The pool knows the values, so a scrape runs no query. */
export function observePool(metrics: PoolMetrics, { pool }: Pick<Database, 'pool'>): void {
  metrics.gauge({
    name: 'database_pool_max_connections',
    help: 'Maximum number of connections in the pool.',
    collect: () => pool.options.max,
  });
  metrics.gauge({
    name: 'database_pool_in_use',
    help: 'Connections in use.',
    collect: () => pool.totalCount - pool.idleCount,
  });
  metrics.gauge({
    name: 'database_pool_idle',
    help: 'Idle connections.',
    collect: () => pool.idleCount,
  });
  metrics.gauge({
    name: 'database_pool_waiting',
    help: 'Calls waiting for a connection.',
    // The queries of the same scrape count as waiting until the next turn, even if a connection is idle.
    async collect() {
      await setImmediate();
      return pool.waitingCount + waitingForShare(pool);
    },
  });
}
