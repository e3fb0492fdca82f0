import { createTurns, TimeoutError, type Turns } from '@canvass/async';
import type pg from 'pg';

/**
 * The kinds of work on a pool. A tenant has at most half of the turns of each kind while others wait.
 *
 * - `short`: a call or a transaction. While none waits, a tenant exceeds its half, but never gets the last
 *   fifth, so that the first call of another one finds a free connection.
 * - `search`, `export`: may hold a connection for seconds, or minutes. Each kind has at most 40 % of the
 *   connections, so that a fifth is left for short work.
 */
type Work = 'short' | LongWork;
export type LongWork = 'search' | 'export';

const longShare = 0.4;
/** The same time as the pool waits for a connection; exports may wait. In milliseconds. */
const maxWaitMs: Record<Work, number> = { short: 5_000, search: 5_000, export: 60_000 };

interface Shares extends Record<Work, Turns> {
  ownerOf(): string | undefined;
  readonly giveBack: WeakMap<pg.PoolClient, () => void>;
}

const sharesOfPool = new WeakMap<pg.Pool, Shares>();

/**
 * Divides the connections of a pool among tenants. Calls without a tenant are those of the process itself and
 * have no share.
 *
 * @param ownerOf returns the tenant of the current call
 */
export function shareConnections(pool: pg.Pool, ownerOf: () => string | undefined): void {
  const { max } = pool.options;
  const long = Math.max(1, Math.floor(max * longShare));
  const giveBack = new WeakMap<pg.PoolClient, () => void>();
  sharesOfPool.set(pool, {
    ownerOf,
    giveBack,
    short: createTurns({ max, maxWaitMs: maxWaitMs.short, minFree: Math.floor(max / 5) }),
    search: createTurns({ max: long, maxWaitMs: maxWaitMs.search }),
    export: createTurns({ max: long, maxWaitMs: maxWaitMs.export }),
  });
  pool.on('release', (_error, client) => giveBack.get(client)?.());
}

/**
 * Takes a connection of the pool when the share of the tenant permits it. Its release gives the share back.
 *
 * @throws {Error} that of an exhausted pool after 5 s
 */
export async function connectFairly(pool: pg.Pool): Promise<pg.PoolClient> {
  const shares = sharesOfPool.get(pool)!;
  const giveBack = await turnOf(pool, 'short');
  try {
    const client = await pool.connect();
    shares.giveBack.set(client, () => {
      shares.giveBack.delete(client);
      giveBack();
    });
    return client;
  } catch (error) {
    giveBack();
    throw error;
  }
}

/** Number of calls that wait for a share. They do not wait in the pool yet. */
export const waitingForShare = (pool: pg.Pool): number => sharesOfPool.get(pool)!.short.waiting();

/**
 * Waits for a turn of a kind of work.
 *
 * @returns gives the turn back; call it once
 * @throws {Error} that of an exhausted pool if there is no turn in time; the reason of `signal`
 */
export async function turnOf(pool: pg.Pool, work: Work, signal?: AbortSignal): Promise<() => void> {
  const shares = sharesOfPool.get(pool)!;
  try {
    return await shares[work].take(shares.ownerOf(), signal);
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    throw new Error(`timeout exceeded when trying to connect (${work}): the tenant has its share`, {
      cause: error,
    });
  }
}
