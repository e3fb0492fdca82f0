import type { Database } from './database';

/** What this library needs of a metrics registry; service-kit's has this shape. */
export interface PoolMetrics {
  gauge(options: { name: string; help: string; collect: () => number }): unknown;
}

/** Registers how busy the connections of this process are. Costs nothing: the pool knows. */
export function observePool(metrics: PoolMetrics, { pool }: Pick<Database, 'pool'>): void {
  metrics.gauge({
    name: 'database_pool_max_connections',
    help: 'Most connections that the pool of this process opens.',
    collect: () => pool.options.max,
  });
  metrics.gauge({
    name: 'database_pool_in_use',
    help: 'Connections of the pool that are at work.',
    collect: () => pool.totalCount - pool.idleCount,
  });
  metrics.gauge({
    name: 'database_pool_idle',
    help: 'Connections of the pool that are open and free.',
    collect: () => pool.idleCount,
  });
  metrics.gauge({
    name: 'database_pool_waiting',
    help: 'Calls that wait for a free connection.',
    collect: () => pool.waitingCount,
  });
}
