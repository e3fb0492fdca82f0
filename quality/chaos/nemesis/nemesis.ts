import { setTimeout as sleep } from 'node:timers/promises';
import type { PlannedFault } from '../plan';
import type { FaultRecord } from '../records';
import { longestMs } from './faults';
import type { Targets } from './targets';

/**
 * Carries the plan out: each fault at its time, in parallel with earlier ones, except that faults of one
 * resource follow one another. Resolves when the last one is over, with what was done and when.
 */
export async function carryOut(
  plan: readonly PlannedFault[],
  targets: Targets,
  { say, signal }: { say(line: string): void; signal: AbortSignal },
): Promise<FaultRecord[]> {
  const started = Date.now();
  const records: FaultRecord[] = [];
  const byResource = new Map<string, Promise<void>>();

  async function run({ description, kind, lastsMs = 0, inflict }: PlannedFault): Promise<void> {
    const record: FaultRecord = { description, kind, startedAt: Date.now(), backAt: null, error: null };
    records.push(record);
    try {
      const tooLate = sleep(lastsMs + longestMs, undefined, { ref: false }).then(() => {
        throw new Error('not back in time');
      });
      await Promise.race([inflict(targets, record), tooLate]);
      record.backAt = Date.now();
    } catch (error) {
      record.error = error instanceof Error ? error.message : String(error);
    }
    const seconds = ((record.startedAt - started) / 1000).toFixed(1);
    const took = record.error ?? `back after ${Date.now() - record.startedAt} ms`;
    say(`  ${seconds.padStart(7)} s  ${description}: ${took}`);
  }

  for (const fault of plan) {
    const wait = Math.max(0, started + fault.at - Date.now());
    await sleep(wait, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    const previous = byResource.get(fault.resource) ?? Promise.resolve();
    byResource.set(
      fault.resource,
      previous.then(() => run(fault)),
    );
  }
  await Promise.all(byResource.values());
  return records;
}
