import { createTurns, TimeoutError, type Turns } from '@canvass/async';
import type pg from 'pg';
import type { Transactor } from './database';
import { ownerOfCall } from './fair-share';

/** The share of a pool that listings use at most. */
const share = 0.6;
/** The longest wait for a turn, in milliseconds; as long as the pool waits for a connection. */
const longestWaitMs = 5_000;

const turnsOfPool = new WeakMap<pg.Pool, Turns>();

/**
 * Runs a listing when it is its turn. Listings use at most six of ten connections, and those of one owner
 * half of that: a listing may read for seconds, and creates must find a connection meanwhile. Within a
 * transaction nothing waits.
 *
 * @throws the error of an exhausted pool if there is no turn in time
 */
export async function inShareOfListings<T>(db: Transactor, read: () => Promise<T>): Promise<T> {
  const { pool } = db as { pool?: pg.Pool };
  if (pool === undefined) return read();
  const giveBack = await turnsOf(pool)
    .take(ownerOfCall(pool))
    .catch((error: unknown) => {
      if (!(error instanceof TimeoutError)) throw error;
      throw new Error('timeout exceeded when trying to connect for a listing', { cause: error });
    });
  try {
    return await read();
  } finally {
    giveBack();
  }
}

function turnsOf(pool: pg.Pool): Turns {
  const turns = turnsOfPool.get(pool) ?? createTurns(Math.ceil(pool.options.max * share), longestWaitMs);
  turnsOfPool.set(pool, turns);
  return turns;
}
