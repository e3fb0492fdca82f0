import { setTimeout as sleep } from 'node:timers/promises';

/** Send slots of endpoints with a rate limit: taken by claims, each used at its own time or not at all. */
export type SendSlots = ReturnType<typeof createSendSlots>;

const goodForMs = 50;
const maxLeadSeconds = 1;
const decay = 0.98;
const renewOffsetMs = 30_000;

export function createSendSlots() {
  let lead = 0;
  // An answer never arrives before it was given: the least difference between the clocks has the least delay.
  let offset = { now: Infinity, before: Infinity, since: performance.now() };

  return {
    /** Seconds after which the answer of a claim arrives; slots before that would be missed. */
    leadSeconds: () => lead,
    /** Notes the database's time, in seconds since 1970, of an answer that has just arrived. */
    observeClock(databaseSeconds: number): void {
      const now = performance.now();
      if (now - offset.since > renewOffsetMs) offset = { now: Infinity, before: offset.now, since: now };
      offset.now = Math.min(offset.now, now - databaseSeconds * 1000);
    },
    /** That time by `performance.now()`. */
    localTime: (databaseSeconds: number) => databaseSeconds * 1000 + Math.min(offset.now, offset.before),
    /**
     * Waits for a slot (by `performance.now()`). `missed`: it is over, because the claim took too long or the
     * process stood still; a send now could meet the delivery of the next slot. Rejects when `signal` aborts.
     */
    async wait(slot: number, signal: AbortSignal): Promise<'now' | 'awaited' | 'missed'> {
      const ahead = slot - performance.now();
      if (ahead > 0) await sleep(Math.ceil(ahead) + 1, undefined, { signal }); // timers may fire early
      const late = performance.now() - slot;
      if (late <= goodForMs) {
        lead *= decay;
        return ahead > 0 ? 'awaited' : 'now';
      }
      // Slower answers ask for later slots; with a slow database every slot would be missed otherwise.
      lead = Math.min(maxLeadSeconds, Math.max(lead, (1.5 * late) / 1000));
      return 'missed';
    },
  };
}
