import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { childrenByParent } from './cpu';

/** The numbers of the cores that this process may use; none where the kernel does not say, as on macOS. */
export function usableCores(): number[] {
  let status: string;
  try {
    status = readFileSync('/proc/self/status', 'utf8');
  } catch {
    return [];
  }
  const [, ranges = ''] = /Cpus_allowed_list:\s*(\S+)/.exec(status) ?? [];
  return ranges.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, n) => first + n);
  });
}

/** Lets processes, with their threads and descendants, run on these cores only. Needs `taskset` of Linux. */
export function bindToCores(pids: readonly number[], cores: readonly number[]): void {
  const children = childrenByParent();
  const withDescendants = (pid: number): number[] => [
    pid,
    ...(children.get(pid) ?? []).flatMap(withDescendants),
  ];
  for (const pid of pids.flatMap(withDescendants))
    try {
      execFileSync('taskset', ['--all-tasks', '--pid', '--cpu-list', cores.join(), String(pid)]);
    } catch (error) {
      // Postgres ends its workers at any time.
      if (pids.includes(pid)) throw error;
    }
}
