import { createTurns, TimeoutError } from '@canvass/async';
import { Problem } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import type { ListQuery } from './filter-query';

/** Runs a read of many submissions when it is the turn of the tenant. */
export type InTurn = <T>(tenantId: string, read: () => Promise<T>) => Promise<T>;

/** A request that waits holds no connection. In milliseconds. */
const longestWaitMs = 15_000;
/** A tenant rests this many times as long as a long read took: long reads use a third of a core. */
const restRatio = 2;
/** After shorter reads the tenant does not rest: together they use a core at most. In milliseconds. */
const longReadMs = 100;

export interface ScanTurns {
  /** For reads that may visit all submissions of a form. */
  whole: InTurn;
  /** For pages that read a part of them, see `endOfPart`. They are short and do not wait for the others. */
  part: InTurn;
}

/**
 * Such reads occupy a core of Postgres for as long as they run. So at most a fifth of the connections of a
 * process run each kind, and a tenant has at most half of these.
 */
export const createScanTurns = (db: Database): ScanTurns => ({
  whole: turnsWithRest(db),
  part: turnsWithRest(db),
});

/**
 * A tenant keeps its turn for a while after a long read, so that it does not use a whole core all the time.
 *
 * @returns a function that throws {Problem} `service_unavailable` if there is no turn within 15 s
 */
function turnsWithRest(db: Database): InTurn {
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
    const startedAt = performance.now();
    try {
      return await read();
    } finally {
      const tookMs = performance.now() - startedAt;
      if (tookMs > longReadMs) setTimeout(giveBack, restRatio * tookMs).unref();
      else giveBack();
    }
  };
}

/** Whether the list has all submissions of its times that are not deleted. */
export const isOfTimes = (query: ListQuery): boolean =>
  !query.deleted && query.filter.length === 0 && !query.search;

/** Whether the list has all submissions of the form that are not deleted. */
export const isOfAll = (query: ListQuery): boolean => isOfTimes(query) && !query.from && !query.to;

/** Whether counts by ranges have the total and the places of pages by number of the list. */
export const isCounted = (query: ListQuery): boolean => isOfAll(query) && query.sortBy === 'id';

/** Whether the list reads more than the first submissions of the form by the index of its order. */
export const isScan = (query: ListQuery): boolean => !isCounted(query) || query.byKey?.total === 'estimated';
