import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startTimeOf } from '@canvass/infra';
import { eventually } from '@canvass/testing';

const root = '/sys/fs/cgroup';
const prefix = 'canvass-kubernetes-';
const removedMs = 30_000;

/** The hierarchies of control groups of version 1, one for each controller. */
function hierarchies(): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'unified')
    .map(({ name }) => path.join(root, name));
}

/** The name of the control group of a node of this process. */
export const groupOf = (node: string, pid: number): string => `${prefix}${pid}-${node}`;

/** Creates the control groups of nodes. Their pods get as much processor time as this process. */
export function makeGroups(nodes: readonly string[]): void {
  for (const hierarchy of hierarchies()) {
    for (const node of nodes) {
      const group = path.join(hierarchy, groupOf(node, process.pid));
      mkdirSync(group);
      const copy = (from: string, file: string) =>
        writeFileSync(path.join(group, file), readFileSync(path.join(from, file), 'utf8').trim());
      const controller = path.basename(hierarchy);
      if (controller.split(',').includes('cpuset'))
        for (const file of ['cpuset.cpus', 'cpuset.mems']) copy(hierarchy, file);
      if (controller.split(',').includes('cpu')) copy(path.join(hierarchy, ownGroup()), 'cpu.shares');
    }
  }
}

/** The control group of this process, in the hierarchy of the controller `cpu`. */
function ownGroup(): string {
  const own = readFileSync('/proc/self/cgroup', 'utf8');
  return /^\d+:(?:\w+,)*cpu(?:,\w+)*:(.*)$/m.exec(own)?.[1] ?? '/';
}

/** Removes the control groups of this process, and of others that have ended. */
export async function removeGroups(): Promise<void> {
  for (const hierarchy of hierarchies()) {
    for (const name of readdirSync(hierarchy).filter((each) => each.startsWith(prefix))) {
      const pid = Number.parseInt(name.slice(prefix.length), 10);
      if (pid !== process.pid && startTimeOf(pid) !== null) continue;
      // Its last processes may still be ending.
      await eventually(() => removeGroup(path.join(hierarchy, name)), { timeoutMs: removedMs });
    }
  }
}

function removeGroup(group: string): void {
  for (const entry of readdirSync(group, { withFileTypes: true }))
    if (entry.isDirectory()) removeGroup(path.join(group, entry.name));
  rmdirSync(group);
}
