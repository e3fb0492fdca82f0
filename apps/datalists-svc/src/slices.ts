import { setImmediate as nextTurn } from 'node:timers/promises';

/** Cuts long work on the event loop into slices and yields between them. */
export interface Slices {
  /** Call it after each small step. It reads the clock only now and then. */
  isOver(steps?: number): boolean;
  /** Yields to other work. */
  pause(): Promise<void>;
}

const longestMs = 4;
const stepsBetweenLooks = 1024;

export function createSlices(): Slices {
  let left = stepsBetweenLooks;
  let until = performance.now() + longestMs;
  return {
    isOver(steps = 1) {
      left -= steps;
      if (left > 0) return false;
      left = stepsBetweenLooks;
      return performance.now() > until;
    },
    async pause() {
      await nextTurn();
      until = performance.now() + longestMs;
    },
  };
}
