import { createTurns, TimeoutError } from '@canvass/async';
import { Problem } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import type { ListQuery } from './filter-query';

/** Runs a read that may visit all submissions of a form, when it is the turn of the tenant. */
export type InTurn = <T>(tenantId: string, read: () => Promise<T>) => Promise<T>;

/** As long as a request waits for a connection, in milliseconds. */
const longestWaitMs = 5_000;
/** Rows that a page may skip without a turn. */
const skippedRows = 10_000;

/**
 * Such reads occupy a core of Postgres for as long as they run. So at most a fifth of the connections of a
 * process run them, and a tenant has at most half of these.
 *
 * @returns a function that throws {Problem} `service_unavailable` if there is no turn within 5 s
 */
export function createScanTurns(db: Database): InTurn {
  const turns = createTurns(Math.max(2, Math.floor(db.pool.options.max / 5)), longestWaitMs);
  return async (tenantId, read) => {
    const giveBack = await turns.take(tenantId).catch((error: unknown) => {
      if (!(error instanceof TimeoutError)) throw error;
      throw new Problem('service_unavailable', {
        detail: 'Too many searches of this tenant are in progress. Try again later.',
        headers: { 'Retry-After': '5' },
        cause: error,
      });
    });
    try {
      return await read();
    } finally {
      giveBack();
    }
  };
}

/** Whether the list reads more than the first submissions of the form by the index of its order. */
export const isScan = (query: ListQuery): boolean =>
  query.filter.length > 0 ||
  Boolean(query.search ?? query.from ?? query.to) ||
  query.sortBy !== 'id' ||
  (query.byKey === null ? (query.page - 1) * query.pageSize > skippedRows : query.byKey.total !== 'none');
