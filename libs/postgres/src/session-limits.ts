import type { DatabaseSettings } from './settings';

/** The demands of a service on its sessions beyond the settings. */
export interface SessionOptions {
  /**
   * Set for a service whose statements all use an index. A session keeps the plan of a prepared statement
   * until the next analyze. A plan made while the table was empty would scan the whole table later.
   */
  byIndexOnly?: boolean;
  /** Postgres cancels a statement that waits longer for a lock; 0 or absent means no limit. */
  lockTimeoutMs?: number;
}

/**
 * The limits of every session of a service, as `name=value` of Postgres settings. A statement uses one core:
 * the others are for the requests of other tenants.
 */
export const sessionLimits = (
  settings: Partial<Pick<DatabaseSettings, 'StatementTimeoutMs' | 'IdleInTransactionTimeoutMs'>>,
  { byIndexOnly = false, lockTimeoutMs = 0 }: SessionOptions,
): string[] => [
  `statement_timeout=${settings.StatementTimeoutMs ?? 30_000}`,
  `idle_in_transaction_session_timeout=${settings.IdleInTransactionTimeoutMs ?? 60_000}`,
  'max_parallel_workers_per_gather=0',
  'jit=off', // a compilation takes tenths of a second of that core, for each run of a statement
  ...(lockTimeoutMs > 0 ? [`lock_timeout=${lockTimeoutMs}`] : []),
  ...(byIndexOnly ? ['enable_seqscan=off'] : []),
];
