import type { Endpoint } from '@canvass/service-kit';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Lets answers that somebody waits for pass work in the same process that takes seconds, such as an import. */
export interface RightOfWay {
  /** Runs what somebody waits for. */
  pass<T>(work: () => Promise<T>): Promise<T>;
  /**
   * For long work to await between two steps of a few milliseconds: returns once nothing that passes is under way, at the
   * latest after 25 ms. Then as much time is the long work's own, so that it has at least half of it whatever is asked for.
   */
  giveWay(): Promise<void>;
}

const longestMs = 25;

export function createRightOfWay(): RightOfWay {
  let underWay = 0;
  let ownUntil = 0;
  let waiting: (() => void)[] = [];

  const passed = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, longestMs);
      waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });

  return {
    async pass(work) {
      underWay++;
      try {
        return await work();
      } finally {
        if (--underWay === 0) {
          const free = waiting;
          waiting = [];
          for (const go of free) go();
        }
      }
    },
    async giveWay() {
      await nextTurn();
      const began = performance.now();
      if (underWay === 0 || began < ownUntil) return;
      await passed();
      const now = performance.now();
      ownUntil = now + (now - began);
    },
  };
}

/** The same endpoints, whose requests pass. */
export const passing = (way: RightOfWay, endpoints: readonly Endpoint[]): Endpoint[] =>
  endpoints.map((endpoint) => ({ ...endpoint, handle: (input) => way.pass(() => endpoint.handle(input)) }));
