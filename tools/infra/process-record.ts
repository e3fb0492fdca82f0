import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readJson, writeJson } from './atomic-file';

/** Which process was started. A pid alone is not enough: the number may belong to a stranger by now. */
export interface ProcessRecord {
  pid: number;
  /** Start time of the process as the kernel tells it; the same pid started at another time is another process. */
  startedAt: string;
}

/** The kernel's start time of a living process; null for one that is gone or only waits to be reaped. */
export function startTimeOf(pid: number): string | null {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  if (existsSync('/proc/self/stat')) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The command name (in parentheses) may hold spaces; fields are counted behind it: 0 = state, 19 = start time.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
    } catch {
      return null;
    }
  }
  try {
    const [state, ...start] = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
    })
      .trim()
      .split(/\s+/);
    return state === undefined || state.startsWith('Z') ? null : start.join(' ');
  } catch {
    return null;
  }
}

/** The record of a process that lives now. Throws if it is already gone. */
export function recordOf(pid: number): ProcessRecord {
  const startedAt = startTimeOf(pid);
  if (startedAt === null) throw new Error(`process ${pid} ended at once`);
  return { pid, startedAt };
}

/** True while exactly the recorded process lives. */
export function isAlive(record: ProcessRecord | null): record is ProcessRecord {
  return record !== null && startTimeOf(record.pid) === record.startedAt;
}

/** A process record kept in a file; reads as null when the process is gone. */
export class PidFile {
  constructor(readonly file: string) {}

  /** The living process, or null. */
  live(): ProcessRecord | null {
    const record = readJson<ProcessRecord>(this.file);
    return isAlive(record) ? record : null;
  }

  write(pid: number): ProcessRecord {
    const record = recordOf(pid);
    writeJson(this.file, record);
    return record;
  }

  remove(): void {
    rmSync(this.file, { force: true });
  }
}

/** Sends a signal to the process, or to its whole group; a process that is gone is no error. */
export function signalProcess(record: ProcessRecord, signal: NodeJS.Signals, group = false): void {
  if (!isAlive(record)) return;
  try {
    process.kill(group ? -record.pid : record.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Waits until the process is gone; false if it still lives after `timeoutMs`. */
export async function waitForExit(record: ProcessRecord, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isAlive(record)) {
    if (Date.now() > deadline) return false;
    await sleep(25);
  }
  return true;
}

/** Tries each signal in turn, each with its patience in ms, and SIGKILL at last. */
export async function terminate(
  record: ProcessRecord | null,
  steps: readonly (readonly [NodeJS.Signals, number])[],
  group = false,
): Promise<void> {
  if (!record) return;
  for (const [signal, patienceMs] of [...steps, ['SIGKILL', 5000] as const]) {
    signalProcess(record, signal, group);
    if (await waitForExit(record, patienceMs)) return;
  }
}
