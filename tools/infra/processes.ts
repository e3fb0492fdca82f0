import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from './account';
import { readJson, writeJson } from './checkout';

/** The process that was started. A pid alone is not enough: another process may have the number by now. */
export interface ProcessRecord {
  pid: number;
  /** Start time by the kernel; the same pid with another start time is another process. */
  startedAt: string;
}

/** The kernel's start time of a living process; null for one that has ended or waits to be reaped. */
export function startTimeOf(pid: number): string | null {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  try {
    if (existsSync('/proc/self/stat')) {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The command name (in parentheses) may hold spaces; fields are counted after it: 0 = state, 19 =
      // start time.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
    }
    const ps = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' });
    const [state, ...start] = ps.trim().split(/\s+/);
    return state === undefined || state.startsWith('Z') ? null : start.join(' ');
  } catch {
    return null;
  }
}

/** The record of a living process. Throws if it has ended. */
export function recordOf(pid: number): ProcessRecord {
  const startedAt = startTimeOf(pid);
  if (startedAt === null) throw new Error(`process ${pid} ended at once`);
  return { pid, startedAt };
}

/** True while exactly the recorded process lives. */
export function isAlive(record: ProcessRecord | null): record is ProcessRecord {
  return record !== null && startTimeOf(record.pid) === record.startedAt;
}

/** A process record in a file. */
export class PidFile {
  constructor(readonly file: string) {}

  /** The living process, or null. */
  live(): ProcessRecord | null {
    const record = readJson<ProcessRecord>(this.file);
    return isAlive(record) ? record : null;
  }

  write(pid: number): void {
    writeJson(this.file, recordOf(pid));
  }

  remove(): void {
    rmSync(this.file, { force: true });
  }
}

/** Sends a signal to the process, or to its whole group; does nothing if the process has ended. */
export function signalProcess(record: ProcessRecord | null, signal: NodeJS.Signals, group = false): void {
  if (!isAlive(record)) return;
  try {
    process.kill(group ? -record.pid : record.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** A signal and how many milliseconds to wait for the end of the process. */
export type StopStep = readonly [NodeJS.Signals, number];

/** Sends each signal in turn until the process ends, and SIGKILL at last. */
export async function terminate(
  record: ProcessRecord | null,
  steps: readonly StopStep[],
  group = false,
): Promise<void> {
  for (const [signal, patienceMs] of [...steps, ['SIGKILL', 5_000] as const]) {
    signalProcess(record, signal, group);
    for (const deadline = Date.now() + patienceMs; isAlive(record) && Date.now() < deadline;) await sleep(25);
    if (!isAlive(record)) return;
  }
}

export interface LaunchOptions {
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd: string;
  /** Receives stdout and stderr. We open it, so that the account of the process needs no right to it. */
  logFile: string;
  account: Account | null;
}

/**
 * Starts a process in a process group of its own: Ctrl-C in the terminal reaches only us, and we stop
 * everything in the right order. Resolves when the process runs; rejects when the file cannot be executed.
 */
export async function launch(options: LaunchOptions): Promise<ChildProcess & { pid: number }> {
  const { command, args, cwd, env, logFile, account } = options;
  // Logs may name people; other users of the machine must not read them.
  mkdirSync(path.dirname(logFile), { recursive: true, mode: 0o700 });
  const log = openSync(logFile, 'a', 0o600);
  try {
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', log, log], ...account });
    await once(child, 'spawn');
    child.unref();
    return child as ChildProcess & { pid: number };
  } finally {
    closeSync(log);
  }
}
