import type pg from 'pg';

/** How long a reading waits for its turn, in milliseconds. */
const patienceMs = 60_000;

/** Readings under way on a pool, and those that wait, in order. */
interface Turns {
  taken: number;
  readonly waiting: Set<() => void>;
}

const turnsOfPool = new WeakMap<pg.Pool, Turns>();

export interface LongReading {
  client: pg.PoolClient;
  /** To be called once; `destroy` for a connection that is not in order. */
  release(destroy: boolean): void;
}

/**
 * A connection for as long as a reader takes its time. Such readings have half of the pool at most, so that slow readers
 * cannot keep everybody else from the database; further ones wait for their turn.
 *
 * @throws the reason of `signal`, or what an exhausted pool throws when no turn comes
 */
export async function connectForLong(pool: pg.Pool, signal: AbortSignal): Promise<LongReading> {
  signal.throwIfAborted();
  const giveBack = await takeTurn(pool, signal);
  try {
    const client = await pool.connect();
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

async function takeTurn(pool: pg.Pool, signal: AbortSignal): Promise<() => void> {
  const turns = turnsOfPool.get(pool) ?? { taken: 0, waiting: new Set() };
  turnsOfPool.set(pool, turns);
  const most = Math.max(1, Math.floor(pool.options.max / 2));
  if (turns.taken < most) turns.taken += 1;
  else await inTurn(turns, signal);
  return () => {
    const [next] = turns.waiting;
    if (next) next();
    else turns.taken -= 1;
  };
}

/** Resolves with the turn of one that has done. */
const inTurn = ({ waiting }: Turns, signal: AbortSignal): Promise<void> =>
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
    }, patienceMs).unref();
    signal.addEventListener('abort', aborted);
    waiting.add(go);
  });
