import { setTimeout as sleep } from 'node:timers/promises';
import { describeFault, type Fault } from '../plan';
import type { FaultRecord } from '../records';
import { inflict, type Victims } from './inflict';

/** Nothing may hold the run up for longer than this. */
const longestFaultMs = 120_000;

/**
 * Carries the plan out: each fault at its time, whatever the earlier ones are doing, except that a server is not stopped
 * while it is still being started. Resolves when the last one is over, with what was done and when.
 */
export async function unleash(
  plan: readonly Fault[],
  victims: Victims,
  options: { say(line: string): void; signal: AbortSignal },
): Promise<FaultRecord[]> {
  const started = Date.now();
  const records: FaultRecord[] = [];
  const running: Promise<void>[] = [];
  const busy = new Map<string, Promise<void>>();

  async function carryOut(fault: Fault): Promise<void> {
    const description = describeFault(fault);
    const record: FaultRecord = {
      description,
      kind: fault.kind,
      startedAt: Date.now(),
      backAt: null,
      error: null,
    };
    records.push(record);
    try {
      const limit = AbortSignal.timeout(longestFaultMs);
      await Promise.race([inflict(fault, victims, limit, record), aborted(limit)]);
      record.backAt = Date.now();
    } catch (error) {
      record.error = error instanceof Error ? error.message : String(error);
    }
    const seconds = ((record.startedAt - started) / 1000).toFixed(1);
    const took = record.error ?? `back after ${Date.now() - record.startedAt} ms`;
    options.say(`  ${seconds.padStart(7)} s  ${description}: ${took}`);
  }

  for (const fault of plan) {
    await sleep(Math.max(0, started + fault.at - Date.now()), undefined, { signal: options.signal }).catch(
      () => undefined,
    );
    if (options.signal.aborted) break;
    const key = resourceOf(fault);
    const done = (busy.get(key) ?? Promise.resolve()).then(() => carryOut(fault));
    busy.set(key, done);
    running.push(done);
  }
  await Promise.all(running);
  return records;
}

/** Faults of one thing follow one another. */
function resourceOf(fault: Fault): string {
  switch (fault.kind) {
    case 'kill':
    case 'pause':
      return fault.process; // of a server, its name
    case 'rabbitmq-restart':
    case 'alarm':
    case 'queue-full':
    case 'close-connections':
      return 'rabbitmq';
    case 'postgres-restart':
    case 'terminate-backends':
    case 'idle-transaction':
      return 'postgres';
    case 'link':
      return fault.link;
    case 'receiver':
      return `receiver ${fault.endpoint}`;
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error('not back in time'))),
  );
}
