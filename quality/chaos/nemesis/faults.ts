import { setTimeout as sleep } from 'node:timers/promises';
import { withClient } from '@canvass/infra';
import { eventually } from '@canvass/testing';
import type { ReceiverMode } from '../checker/receivers';
import type { FaultRecord } from '../records';
import { isServingAmqp } from './servers';
import {
  managementUrlOf,
  processOf,
  type LinkName,
  type ProcessName,
  type ServerName,
  type Targets,
} from './targets';

/** One fault. `inflict` carries it out, ends it, and resolves when the component is back. */
export interface Fault {
  kind: string;
  /** One line for a reader. */
  description: string;
  /** Faults of the same resource follow one another. */
  resource: string;
  /** How long it lasts by itself, in milliseconds; absent if that is short. */
  lastsMs?: number;
  inflict(targets: Targets): Promise<unknown>;
}

/** A fault and when it happens, in milliseconds after the start of the faults. */
export type PlannedFault = Fault & { at: number };

/** A fault that takes this much longer than it lasts fails, so that it cannot block the run. */
const maxMs = 120_000;
/** For a server that may not answer. */
const connectMs = 5_000;
const patient = { timeoutMs: maxMs };

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
      const tooLate = sleep(lastsMs + maxMs, undefined, { ref: false }).then(() => {
        throw new Error('not back in time');
      });
      await Promise.race([inflict(targets), tooLate]);
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
    const next = previous.then(() => run(fault));
    byResource.set(fault.resource, next);
  }
  await Promise.all(byResource.values());
  return records;
}

const fault = (kind: string, resource: string, description: string, inflict: Fault['inflict']): Fault => ({
  kind,
  description,
  resource,
  inflict,
});

/** A fault that begins, lasts for some time, and ends. */
const lasting = (
  kind: string,
  resource: string,
  description: string,
  ms: number,
  set: (targets: Targets, isOn: boolean) => unknown,
): Fault => ({
  kind,
  description: `${description} for ${ms} ms`,
  resource,
  lastsMs: ms,
  async inflict(targets) {
    await set(targets, true);
    try {
      await sleep(ms);
    } finally {
      await set(targets, false);
    }
  },
});

/** SIGKILL; back when the supervisor's next process is ready. */
export const kill = (name: ProcessName): Fault =>
  fault('kill', name, `SIGKILL ${name}`, ({ stack }) => {
    const before = processOf(stack, name).pid;
    stack.kill(name, 'SIGKILL');
    return eventually(async () => {
      const { pid, url } = processOf(stack, name);
      return pid !== null && pid !== before && (await isReady(url));
    }, patient);
  });

export const pause = (name: ProcessName | ServerName, ms: number): Fault =>
  lasting('pause', name, `SIGSTOP ${name}`, ms, ({ stack }, isOn) =>
    stack.kill(name, isOn ? 'SIGSTOP' : 'SIGCONT'),
  );

/** Stops a server and starts it, or ends it by a signal; back when the supervisor's next one answers. */
export const serverRestart = (name: ServerName, how: 'stop' | 'SIGQUIT' | 'SIGKILL'): Fault =>
  fault(`${name}-restart`, name, `${name} restarted (${how})`, async ({ stack }) => {
    const server = stack.infra[name];
    if (how === 'stop') return server.restart();
    const before = server.pid();
    stack.kill(name, how);
    return eventually(async () => {
      const now = server.pid();
      if (now === null || now === before) return false;
      return name === 'postgres'
        ? withClient(stack.file.databaseUrl, (client) => client.query('select 1'), connectMs)
        : isServingAmqp(managementUrlOf(stack));
    }, patient);
  });

export const link = (name: LinkName, how: 'cut' | 'stall' | 'delay', ms: number): Fault =>
  lasting('link', name, `${name}: ${how}`, ms, ({ proxies }, isOn) =>
    proxies[name].become(isOn ? how : 'none'),
  );

/** What one process sends to a server, or gets from it, is lost without an error. */
export const partition = (name: LinkName, direction: 'out' | 'in', ms: number): Fault =>
  lasting('partition', name, `${name} silent (${direction})`, ms, ({ proxies }, isOn) =>
    proxies[name].become(isOn ? `silent-${direction}` : 'none'),
  );

export const receiver = (endpoint: number, how: ReceiverMode, ms: number): Fault =>
  lasting('receiver', `receiver ${endpoint}`, `receiver ${endpoint}: ${how}`, ms, ({ checker }, isOn) =>
    checker.receivers.become(endpoint, isOn ? how : 'normal'),
  );

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(1_000) });
  await answer.text();
  return answer.status === 200;
}
