import { setImmediate as nextTurn } from 'node:timers/promises';

/** Cuts long work on the event loop into slices, so that others are served between them. */
export interface Slices {
  /** To be asked after each small step, or after so many; reads the clock only now and then. */
  isOver(steps?: number): boolean;
  /** Lets others have their turn. */
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
