import type { Endpoint } from '@canvass/service-kit';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Lets requests that are answered at once pass work that takes seconds, such as an import, in the same process. */
export interface RightOfWay {
  /** Runs what somebody waits for. */
  pass<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Begins long work and gives a function for it to await between two steps of a few milliseconds. Where nobody asks for
   * anything it costs nothing. In times with requests it rests for twice as long as was worked, so that cores are free for
   * them in other processes too, and then waits for those under way, though not for ever: a quarter of the time is the
   * work's own in any case.
   */
  longWork(): () => Promise<void>;
}

/** So long after a request others are likely to follow. */
const recentMs = 1_000;
/** The shortest work that is worth a rest, and the longest rest. */
const workMs = 10;
const restMs = 250;
/** The longest that requests are waited for, and then the shortest that is worked. */
const passMs = 25;

export function createRightOfWay(): RightOfWay {
  let underWay = 0;
  let lastPassed = -Infinity;
  let waiting: (() => void)[] = [];

  /** Whether all have passed in time. */
  const allPassed = () =>
    new Promise<boolean>((resolve) => {
      const timer = setTimeout(resolve, passMs, false);
      waiting.push(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });

  return {
    async pass(work) {
      underWay++;
      try {
        return await work();
      } finally {
        lastPassed = performance.now();
        if (--underWay === 0) {
          const free = waiting;
          waiting = [];
          for (const go of free) go();
        }
      }
    },
    longWork() {
      let since = performance.now();
      let notBefore = 0;
      return async () => {
        await nextTurn();
        const now = performance.now();
        if (underWay === 0 && now - lastPassed > recentMs) {
          since = now;
          return;
        }
        const worked = now - since;
        if (now < notBefore || (underWay === 0 && worked < workMs)) return;
        if (worked >= workMs) await sleep(Math.min(2 * worked, restMs));
        if (underWay > 0 && !(await allPassed())) notBefore = performance.now() + passMs;
        since = performance.now();
      };
    },
  };
}

/** The same endpoints, whose requests pass. */
export const passing = (way: RightOfWay, endpoints: readonly Endpoint[]): Endpoint[] =>
  endpoints.map((endpoint) => ({ ...endpoint, handle: (input) => way.pass(() => endpoint.handle(input)) }));
