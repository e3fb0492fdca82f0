import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Turns of endpoints with a rate limit, as one process keeps them: taken by its claims, each used at its own
 * time or not at all.
 */
export interface Turns {
  /**
   * Parameters of a claim: seconds until the first turn that its answer comes in time for, and seconds ahead
   * to take turns.
   */
  parameters(): [lead: number, horizon: number];
  /** To be told the database's time, in seconds since 1970, of each answer that has just come. */
  hear(databaseSeconds: number): void;
  /** That time by `performance.now()`. */
  localTime(databaseSeconds: number): number;
  /**
   * Waits for a turn (by `performance.now()`). `missed`: it is over, for the claim took too long or the
   * process stood still; who sends then may meet the next turn's delivery. Rejects when `signal` aborts.
   */
  wait(turn: number, signal: AbortSignal): Promise<'now' | 'awaited' | 'missed'>;
}

const goodForMs = 50;
const longestHorizonSeconds = 1;
const longestLeadSeconds = 1;
const decay = 0.98;
const renewOffsetMs = 30_000;

/** @param sweepIntervalMs turns are taken ahead for two of these, so that no sweep comes too late for one */
export function createTurns(sweepIntervalMs: number): Turns {
  const horizon = Math.min(longestHorizonSeconds, (2 * sweepIntervalMs) / 1000);
  let lead = 0;
  // No answer comes before it was given: the least difference between the clocks is the one with the least
  // delay.
  let offset = { now: Infinity, before: Infinity, since: performance.now() };

  return {
    parameters: () => [lead, horizon],
    hear(databaseSeconds) {
      const now = performance.now();
      if (now - offset.since > renewOffsetMs) offset = { now: Infinity, before: offset.now, since: now };
      offset.now = Math.min(offset.now, now - databaseSeconds * 1000);
    },
    localTime: (databaseSeconds) => databaseSeconds * 1000 + Math.min(offset.now, offset.before),
    async wait(turn, signal) {
      const ahead = turn - performance.now();
      if (ahead > 0) await sleep(Math.ceil(ahead), undefined, { signal });
      const late = performance.now() - turn;
      if (late <= goodForMs) {
        lead *= decay;
        return ahead > 0 ? 'awaited' : 'now';
      }
      // Answers that take longer are asked for turns that are further off: else a slow database would let
      // none be met.
      lead = Math.min(longestLeadSeconds, Math.max(lead, (1.5 * late) / 1000));
      return 'missed';
    },
  };
}
