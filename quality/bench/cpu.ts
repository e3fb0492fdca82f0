import { readdirSync, readFileSync } from 'node:fs';
import type { Bench } from './bench';
import type { Variant } from './compare';
import type { Figure } from './report';

/** Milliseconds of a clock tick in /proc. */
const tickMs = 10;
/** Fields of /proc/<pid>/stat after the name: own user and system time, and those of ended children. */
const [parent, ...times] = [1, 11, 12, 13, 14];

type Processes = readonly (readonly [name: string, pid: number])[];

/**
 * Returns the variant, which now also counts the CPU time that an operation takes. Other load on the machine does not
 * change it.
 *
 * @param processes name and id of each that works for the variant, besides Postgres and RabbitMQ
 */
export async function watchCpu(bench: Bench, variant: Variant, processes: Processes) {
  const { infra } = (await bench.stack()).file;
  const { rows } = await (await bench.database()).query<{ pid: number }>('select pg_backend_pid() as pid');
  const roots: Processes = [
    ...processes,
    ['Postgres', Number(statOf(rows[0]!.pid)[parent])],
    ...(infra.rabbitmq.pid === null ? [] : [['RabbitMQ', infra.rabbitmq.pid] as const]),
  ];
  const used = new Map(roots.map(([name]) => [name, 0]));
  let operations = 0;
  return {
    variant: {
      ...variant,
      async run(seconds: number, warmUp: boolean) {
        const before = cpuTimes(roots);
        const sample = await variant.run(seconds, warmUp);
        if (warmUp) return sample;
        const after = cpuTimes(roots);
        for (const [name, ms] of after) used.set(name, used.get(name)! + ms - before.get(name)!);
        operations += sample.operations;
        return sample;
      },
    },
    /** CPU milliseconds of an operation: of all, and of each. */
    figures: (): Figure[] => {
      const sum = [...used.values()].reduce((total, ms) => total + ms, 0);
      return [['all', sum] as const, ...used].map(([name, ms]) => ({
        what: `CPU of ${name}`,
        value: ms / operations,
        unit: ' ms',
      }));
    },
  };
}

function cpuTimes(roots: Processes): Map<string, number> {
  const children = childrenByParent();
  children.delete(process.pid); // the services are not part of this process
  return new Map(roots.map(([name, pid]) => [name, treeMs(pid, children)]));
}

function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  } catch {
    return []; // it has ended, and its parent counts it
  }
}

/** Milliseconds of a process and all that it started. */
function treeMs(pid: number, children: ReadonlyMap<number, number[]>): number {
  const stat = statOf(pid);
  const own = times.reduce((sum, field) => sum + Number(stat[field] ?? 0) * tickMs, 0);
  return (children.get(pid) ?? []).reduce((sum, child) => sum + treeMs(child, children), own);
}

function childrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!(pid > 0)) continue;
    const of = Number(statOf(pid)[parent]);
    children.set(of, [...(children.get(of) ?? []), pid]);
  }
  return children;
}
