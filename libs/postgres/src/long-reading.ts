import { createTurns, TimeoutError, type Turns } from '@canvass/async';
import type pg from 'pg';
import { connectFairly, ownerOfCall } from './fair-share';

/** Maximum wait for a turn, in milliseconds. */
const longestWaitMs = 60_000;

const turnsOfPool = new WeakMap<pg.Pool, Turns>();

export interface LongReading {
  client: pg.PoolClient;
  /** Call it once. `destroy` discards a broken connection. */
  release(destroy: boolean): void;
}

/**
 * A connection for a reading of unlimited duration. Such readings use at most half of the pool, so that slow
 * readers cannot block other work, and those of one owner at most half of that. Further ones wait.
 *
 * @throws the reason of `signal`, or the error of an exhausted pool if there is no turn in time
 */
export async function connectForLong(pool: pg.Pool, signal: AbortSignal): Promise<LongReading> {
  const giveBack = await turnsOf(pool)
    .take(ownerOfCall(pool), signal)
    .catch((error: unknown) => {
      if (!(error instanceof TimeoutError)) throw error;
      throw new Error('timeout exceeded when trying to connect for a long reading', { cause: error });
    });
  try {
    const client = await connectFairly(pool);
    return {
      client,
      release(destroy) {
        client.release(destroy);
        giveBack();
      },
    };
  } catch (error) {
    giveBack();
    throw error;
  }
}

function turnsOf(pool: pg.Pool): Turns {
  const turns =
    turnsOfPool.get(pool) ?? createTurns(Math.max(1, Math.floor(pool.options.max / 2)), longestWaitMs);
  turnsOfPool.set(pool, turns);
  return turns;
}
