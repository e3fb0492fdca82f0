import { createTurns, TimeoutError, type Turns } from '@canvass/async';
import type pg from 'pg';
import { ownerOfCall } from './fair-share';

/** Work that may hold a connection for seconds (a search) or minutes (an export). */
export type LongWork = 'search' | 'export';

/** The part of the connections that each kind uses at most, so that a fifth is left for short calls. */
const share = 0.4;
/** The longest wait for a turn in milliseconds. A search waits as long as other calls for a connection. */
const longestWaitMs: Record<LongWork, number> = { search: 5_000, export: 60_000 };

const turnsOfPool = new WeakMap<pg.Pool, Record<LongWork, Turns>>();

/**
 * Waits for a turn of long work. An owner has at most half of the turns of each kind.
 *
 * @returns gives the turn back; call it once
 * @throws the error of an exhausted pool if there is no turn in time; the reason of `signal`
 */
export async function turnOf(pool: pg.Pool, work: LongWork, signal?: AbortSignal): Promise<() => void> {
  try {
    return await turnsOf(pool)[work].take(ownerOfCall(pool), signal);
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    throw new Error(`timeout exceeded when trying to connect for long work (${work})`, { cause: error });
  }
}

function turnsOf(pool: pg.Pool): Record<LongWork, Turns> {
  const known = turnsOfPool.get(pool);
  if (known !== undefined) return known;
  const most = Math.max(1, Math.floor(pool.options.max * share));
  const turns = (work: LongWork) => createTurns(most, longestWaitMs[work]);
  const made = { search: turns('search'), export: turns('export') };
  turnsOfPool.set(pool, made);
  return made;
}
