import type { Endpoint } from '@canvass/service-kit';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Gives short requests priority over work of seconds, such as an import, in the same process. */
export interface RequestPriority {
  /** Runs a request with priority. */
  prioritise<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Starts long work. Await the returned function between steps of a few milliseconds. Without requests it
   * does not pause. With requests it pauses for twice the time worked, so that other processes get CPU time,
   * too, and then waits for running requests. At least a quarter of the time remains for the work.
   */
  yieldToRequests(): () => Promise<void>;
  /** Whether a request is running or was answered in the last second. */
  isBusy(): boolean;
}

/** For this time after a request others are likely to follow. */
const recentMs = 1_000;
/** The shortest work that leads to a pause, and the longest pause. */
const workMs = 10;
const pauseMs = 250;
/** The longest wait for running requests, and the shortest work after it. */
const waitMs = 25;

export function createRequestPriority(): RequestPriority {
  let running = 0;
  let lastAnswered = -Infinity;
  let waiting: (() => void)[] = [];

  /** Whether all running requests are answered in time. */
  const allAnswered = () =>
    new Promise<boolean>((resolve) => {
      const timer = setTimeout(resolve, waitMs, false);
      waiting.push(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });

  const isBusy = () => running > 0 || performance.now() - lastAnswered <= recentMs;

  return {
    isBusy,
    async prioritise(work) {
      running++;
      try {
        return await work();
      } finally {
        lastAnswered = performance.now();
        if (--running === 0) {
          const free = waiting;
          waiting = [];
          for (const go of free) go();
        }
      }
    },
    yieldToRequests() {
      let since = performance.now();
      let notBefore = 0;
      return async () => {
        await nextTurn();
        const now = performance.now();
        if (!isBusy()) {
          since = now;
          return;
        }
        const worked = now - since;
        if (now < notBefore || (running === 0 && worked < workMs)) return;
        if (worked >= workMs) await sleep(Math.min(2 * worked, pauseMs));
        if (running > 0 && !(await allAnswered())) notBefore = performance.now() + waitMs;
        since = performance.now();
      };
    },
  };
}

/** The same endpoints, with priority for their requests. */
export const prioritised = (priority: RequestPriority, endpoints: readonly Endpoint[]): Endpoint[] =>
  endpoints.map((endpoint) => ({
    ...endpoint,
    handle: (input) => priority.prioritise(() => endpoint.handle(input)),
  }));
