import { readdirSync, readFileSync } from 'node:fs';
import type { Bench } from './bench';

/** Milliseconds of a clock tick in /proc. */
const tickMs = 10;

/** CPU time in milliseconds that the relay and Postgres have used. Other load does not change it. */
export interface CpuTimes {
  relay: number;
  postgres: number;
}

/** Reads the CPU times of the stack's relay and of the Postgres of the bench with all its processes. */
export async function relayCpu(bench: Bench): Promise<() => CpuTimes> {
  const relay = (await bench.stack()).file.services['webhook-relay-svc'].pid!;
  const { rows } = await (await bench.database()).query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = Number(statOf(rows[0]!.pid)[parent]);
  return () => ({
    relay: cpuMs(relay),
    postgres: [postmaster, ...childrenOf(postmaster)].reduce((sum, pid) => sum + cpuMs(pid), 0),
  });
}

/** Fields of /proc/<pid>/stat after the name: own user and system time, and those of ended children. */
const [parent, ...times] = [1, 11, 12, 13, 14];

function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  } catch {
    return []; // it has ended, and its parent counts it
  }
}

function cpuMs(pid: number): number {
  const stat = statOf(pid);
  return times.reduce((sum, field) => sum + Number(stat[field] ?? 0) * tickMs, 0);
}

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((each) => each > 0 && Number(statOf(each)[parent]) === pid);
