import { setTimeout as sleep } from 'node:timers/promises';

/** Lets callers through at a steady rate, however many wait. */
export interface Pacer {
  take(): Promise<void>;
}

/** A few may pass at once after a lull, but a lull is not made up for. */
const burst = 20;

export function createPacer(perSecond: number): Pacer {
  const gapMs = 1000 / perSecond;
  let next = Date.now();
  return {
    async take() {
      const now = Date.now();
      next = Math.max(next + gapMs, now - burst * gapMs);
      if (next > now) await sleep(next - now);
    },
  };
}
