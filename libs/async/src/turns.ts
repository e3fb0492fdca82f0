import { TimeoutError } from './with-timeout';

export interface Turns {
  /**
   * Waits for a turn. Call the result once, when the work has ended.
   *
   * @param owner has at most half of the turns; undefined: without a share
   * @throws {TimeoutError} if there is no turn in time; the reason of `signal`
   */
  take(owner: string | undefined, signal?: AbortSignal): Promise<() => void>;
}

interface Waiting {
  owner: string | undefined;
  go(): void;
}

/**
 * Turns for work of any duration, which are divided among owners (tenants). Work waits in the order of its
 * arrival, but an owner that has half of the turns does not delay the others.
 *
 * @param most number of turns
 * @param longestWaitMs longest wait for one, in milliseconds
 */
export function createTurns(most: number, longestWaitMs: number): Turns {
  const half = Math.max(1, Math.floor(most / 2));
  const held = new Map<string | undefined, number>();
  const waiting = new Set<Waiting>();
  let taken = 0;

  const mayTake = (owner: string | undefined) =>
    taken < most && (owner === undefined || (held.get(owner) ?? 0) < half);

  function begin(owner: string | undefined): void {
    taken += 1;
    held.set(owner, (held.get(owner) ?? 0) + 1);
  }

  function end(owner: string | undefined): void {
    taken -= 1;
    const left = held.get(owner)! - 1;
    if (left > 0) held.set(owner, left);
    else held.delete(owner);
    for (const next of waiting) {
      if (!mayTake(next.owner)) continue;
      next.go();
      return;
    }
  }

  const wait = (owner: string | undefined, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', aborted);
        waiting.delete(entry);
      };
      const aborted = () => {
        leave();
        reject(signal?.reason as Error);
      };
      const entry: Waiting = {
        owner,
        go() {
          leave();
          begin(owner);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        leave();
        reject(new TimeoutError(`no turn within ${longestWaitMs} ms`));
      }, longestWaitMs).unref();
      signal?.addEventListener('abort', aborted);
      waiting.add(entry);
    });

  return {
    async take(owner, signal) {
      signal?.throwIfAborted();
      if (mayTake(owner)) begin(owner);
      else await wait(owner, signal);
      return () => end(owner);
    },
  };
}
