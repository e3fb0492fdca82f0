import { TimeoutError } from './with-timeout';

export interface Turns {
  /** Number of calls that wait. */
  waiting(): number;
  /**
   * Waits for a turn. Call the result once, when the work has ended.
   *
   * @param owner has at most half of the turns while others wait; undefined: without a share
   * @throws {TimeoutError} if there is no turn in time; the reason of `signal`
   */
  take(owner: string | undefined, signal?: AbortSignal): Promise<() => void>;
}

interface Waiting {
  owner: string | undefined;
  go(): void;
}

export interface TurnsOptions {
  /** Number of turns. */
  max: number;
  /** The longest wait for one, in milliseconds. */
  maxWaitMs: number;
  /** An owner exceeds its half while none waits and more turns than these are free. Default: never. */
  minFree?: number;
}

/**
 * Divides turns for work of any duration among owners (tenants). Work waits in the order of its arrival, but
 * an owner that has half of the turns does not delay the others.
 */
export function createTurns({ max, maxWaitMs, minFree = max }: TurnsOptions): Turns {
  const half = Math.max(1, Math.floor(max / 2));
  const held = new Map<string | undefined, number>();
  const waiting = new Set<Waiting>();
  let taken = 0;

  const isBelowHalf = (owner: string | undefined) =>
    taken < max && (owner === undefined || (held.get(owner) ?? 0) < half);
  const hasSpare = () => max - taken > minFree;

  function begin(owner: string | undefined): void {
    taken += 1;
    held.set(owner, (held.get(owner) ?? 0) + 1);
  }

  function end(owner: string | undefined): void {
    taken -= 1;
    const left = held.get(owner)! - 1;
    if (left > 0) held.set(owner, left);
    else held.delete(owner);
    const all = [...waiting];
    (all.find((each) => isBelowHalf(each.owner)) ?? (hasSpare() ? all[0] : undefined))?.go();
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
        reject(new TimeoutError(`no turn within ${maxWaitMs} ms`));
      }, maxWaitMs).unref();
      signal?.addEventListener('abort', aborted);
      waiting.add(entry);
    });

  return {
    waiting: () => waiting.size,
    async take(owner, signal) {
      signal?.throwIfAborted();
      if (isBelowHalf(owner) || (waiting.size === 0 && hasSpare())) begin(owner);
      else await wait(owner, signal);
      return () => end(owner);
    },
  };
}
