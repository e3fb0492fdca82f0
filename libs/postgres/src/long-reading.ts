import type pg from 'pg';
import { connectFairly } from './fair-share';

/** Maximum wait for a free slot, in milliseconds. */
const longestWaitMs = 60_000;

/** The long readings of a pool: running ones, and waiting ones in order. */
interface ReadingSlots {
  taken: number;
  readonly waiting: Set<() => void>;
}

const slotsOfPool = new WeakMap<pg.Pool, ReadingSlots>();

export interface LongReading {
  client: pg.PoolClient;
  /** Call it once. `destroy` discards a broken connection. */
  release(destroy: boolean): void;
}

/**
 * A connection for a reading of unlimited duration. Such readings use at most half of the pool, so that slow
 * readers cannot block other work. Further ones wait for a slot.
 *
 * @throws the reason of `signal`, or the error of an exhausted pool if no slot becomes free
 */
export async function connectForLong(pool: pg.Pool, signal: AbortSignal): Promise<LongReading> {
  signal.throwIfAborted();
  const giveBack = await takeSlot(pool, signal);
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

async function takeSlot(pool: pg.Pool, signal: AbortSignal): Promise<() => void> {
  const slots = slotsOfPool.get(pool) ?? { taken: 0, waiting: new Set() };
  slotsOfPool.set(pool, slots);
  const most = Math.max(1, Math.floor(pool.options.max / 2));
  if (slots.taken < most) slots.taken += 1;
  else await waitForSlot(slots, signal);
  return () => {
    const [next] = slots.waiting;
    if (next) next();
    else slots.taken -= 1;
  };
}

/** Resolves when a running reading hands over its slot. */
const waitForSlot = ({ waiting }: ReadingSlots, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const leave = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
      waiting.delete(go);
      settle();
    };
    const go = () => leave(resolve);
    const aborted = () => leave(() => reject(signal.reason as Error));
    const timer = setTimeout(() => {
      leave(() => reject(new Error('timeout exceeded when trying to connect for a long reading')));
    }, longestWaitMs).unref();
    signal.addEventListener('abort', aborted);
    waiting.add(go);
  });
