import { createTurns, TimeoutError } from '@canvass/async';
import { Problem } from '@canvass/errors';
import { othersCalled, type Database } from '@canvass/postgres';
import type { ListQuery } from './filter-query';

/** Runs a read of many submissions when it is the turn of the tenant. */
export type InTurn = <T>(tenantId: string, read: () => Promise<T>) => Promise<T>;

/** A request that waits holds no connection. In milliseconds. */
const longestWaitMs = 15_000;
/**
 * Shorter reads use nothing of the budget. Lists by an index are shorter, at ten million submissions, too; a
 * page of a part takes 40 ms and more. In milliseconds.
 */
const longReadMs = 30;
/** A tenant may read for this long before it rests. In milliseconds. */
const burstMs = 2_000;
/** The part of a core that the reads of a tenant use after that: while it is alone, and beside others. */
const [shareAlone, shareBesideOthers] = [1 / 3, 1 / 10];
/** Others are there if one of them called within this time. In milliseconds. */
const besideMs = 10_000;

export interface ScanTurns {
  /** For reads that may visit all submissions of a form. */
  whole: InTurn;
  /** For pages that read a part of them, see `endOfPart`. They do not wait for the others. */
  part: InTurn;
}

/**
 * Such reads occupy a core of Postgres for as long as they run. So at most a fifth of the connections of a
 * process run each kind, and a tenant has at most half of these. Both kinds use one budget of the tenant.
 * Short reads are not counted.
 *
 * @param hasOthers whether other tenants than this one, or anonymous respondents, use the process
 */
export function createScanTurns(
  db: Database,
  hasOthers = (tenantId: string): boolean => othersCalled(db.pool, tenantId, besideMs),
): ScanTurns {
  const budgets = createBudgets(hasOthers);
  return { whole: turnsWithRest(db, budgets), part: turnsWithRest(db, budgets) };
}

interface Budgets {
  /** Adds a read to the debt of a tenant. Returns how long the tenant must rest, in milliseconds. */
  spend(tenantId: string, tookMs: number): number;
}

/** The debt of a tenant is the time of its reads. It falls by the part of a core that the tenant may use. */
function createBudgets(hasOthers: (tenantId: string) => boolean): Budgets {
  const debts = new Map<string, { debtMs: number; at: number }>();

  function settle(tenantId: string, share: number, now: number): number {
    const { debtMs, at } = debts.get(tenantId) ?? { debtMs: 0, at: now };
    return Math.max(0, debtMs - share * (now - at));
  }

  return {
    spend(tenantId, tookMs) {
      const now = performance.now();
      for (const other of debts.keys()) if (settle(other, shareBesideOthers, now) === 0) debts.delete(other);
      const share = hasOthers(tenantId) ? shareBesideOthers : shareAlone;
      const debtMs = settle(tenantId, share, now) + tookMs;
      debts.set(tenantId, { debtMs, at: now });
      return Math.max(0, debtMs - burstMs) / share;
    },
  };
}

/**
 * A tenant keeps its turn while it rests, so that its next read waits.
 *
 * @returns a function that throws {Problem} `service_unavailable` if there is no turn within 15 s
 */
function turnsWithRest(db: Database, budgets: Budgets): InTurn {
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
      const restMs = tookMs > longReadMs ? budgets.spend(tenantId, tookMs) : 0;
      if (restMs > 0) setTimeout(giveBack, restMs).unref();
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
