import { createTurns, TimeoutError, type Turns } from '@canvass/async';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { connectFairly, ownerOfCall } from './fair-share';

/** Maximum wait for a turn, in milliseconds. */
const longestWaitMs = 60_000;
/** Longest pause between two pieces, and the time without other work that ends it, in milliseconds. */
const longestPauseMs = 5;
const quietMs = 10;
const checkMs = 1;

interface Readings {
  turns: Turns;
  /** Number of connections that readings use. */
  inUse: number;
  /** When a connection was last given back, in milliseconds of `performance.now()`. */
  releasedAt: number;
}

const readingsOfPool = new WeakMap<pg.Pool, Readings>();

export interface LongReading {
  client: pg.PoolClient;
  /**
   * Waits, for 5 ms at most, until the pool has had no other work for 10 ms. Call it between two pieces: a
   * reading uses the time that others leave.
   *
   * @returns whether there is no other work
   */
  yieldToOthers(): Promise<boolean>;
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
  const readings = readingsOf(pool);
  const giveBack = await readings.turns.take(ownerOfCall(pool), signal).catch((error: unknown) => {
    if (!(error instanceof TimeoutError)) throw error;
    throw new Error('timeout exceeded when trying to connect for a long reading', { cause: error });
  });
  try {
    const client = await connectFairly(pool);
    readings.inUse += 1;
    return {
      client,
      yieldToOthers: () => yieldToOthers(pool, readings),
      release(destroy) {
        client.release(destroy);
        readings.inUse -= 1;
        giveBack();
      },
    };
  } catch (error) {
    giveBack();
    throw error;
  }
}

async function yieldToOthers(pool: pg.Pool, readings: Readings): Promise<boolean> {
  const until = performance.now() + longestPauseMs;
  const isQuiet = (now: number) =>
    pool.totalCount - pool.idleCount <= readings.inUse && now - readings.releasedAt >= quietMs;
  for (let now = performance.now(); now < until; now = performance.now()) {
    if (isQuiet(now)) return true;
    await delay(checkMs);
  }
  return false;
}

function readingsOf(pool: pg.Pool): Readings {
  const known = readingsOfPool.get(pool);
  if (known !== undefined) return known;
  const turns = createTurns(Math.max(1, Math.floor(pool.options.max / 2)), longestWaitMs);
  const readings: Readings = { turns, inUse: 0, releasedAt: -Infinity };
  pool.on('release', () => (readings.releasedAt = performance.now()));
  readingsOfPool.set(pool, readings);
  return readings;
}
