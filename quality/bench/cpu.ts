import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import type { Bench } from './bench';
import type { Sample, Variant } from './compare';

/** Milliseconds of a clock tick in /proc. */
const tickMs = 10;

/** CPU time in milliseconds by process group. Other load on the machine does not change it. */
type CpuTimes = Record<string, number>;

/**
 * The variants, which now also count the CPU time of all processes of the bench, and a note with what an
 * operation of each variant took.
 *
 * @param operation what an operation is, for the note
 * @param processes name and id of each that works for a variant, besides Postgres and RabbitMQ
 */
export async function watchCpu(
  bench: Bench,
  operation: string,
  processes: readonly (readonly [name: string, pid: number])[],
  variants: readonly Variant[],
) {
  const { infra } = await bench.servers();
  const { rows } = await (await bench.database()).query<{ pid: number }>('select pg_backend_pid() as pid');
  const roots: (readonly [name: string, pid: number])[] = [
    ...processes,
    ['Postgres', Number(statOf(rows[0]!.pid)[parent])],
    ...(infra.rabbitmq.pid === null ? [] : [['RabbitMQ', infra.rabbitmq.pid] as const]),
  ];
  const used = new Map(variants.map(({ name }) => [name, { cpu: {} as CpuTimes, operations: 0 }]));
  const counted = (variant: Variant): Variant => ({
    ...variant,
    async run(seconds, warmUp): Promise<Sample> {
      const before = cpuTimes(roots);
      const sample = await variant.run(seconds, warmUp);
      const after = cpuTimes(roots);
      const sum = used.get(variant.name)!;
      if (warmUp) return sample;
      for (const [name, ms] of Object.entries(after))
        sum.cpu[name] = (sum.cpu[name] ?? 0) + ms - before[name]!;
      sum.operations += sample.operations;
      return sample;
    },
  });
  return {
    variants: variants.map(counted),
    notes: () =>
      [...used].map(([name, { cpu, operations }]) => noteOf(`${operation}, ${name}`, cpu, operations)),
  };
}

function noteOf(what: string, cpu: CpuTimes, operations: number): string {
  const each = Object.entries(cpu).map(([name, ms]) => `${name} ${(ms / operations).toFixed(3)}`);
  const sum = Object.values(cpu).reduce((total, ms) => total + ms, 0) / operations;
  const cores = os.cpus().length;
  return (
    `CPU per ${what}, in ms: ${each.join(', ')}; together ${sum.toFixed(3)}. ` +
    `${cores} cores without any other work can do ${Math.round((cores * 1000) / sum).toLocaleString('en-US')}/s.`
  );
}

function cpuTimes(roots: readonly (readonly [name: string, pid: number])[]): CpuTimes {
  const children = childrenByParent();
  children.delete(process.pid); // the services are not part of this process
  return Object.fromEntries(roots.map(([name, pid]) => [name, treeMs(pid, children)]));
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

/** Of a process and all that it started. */
function treeMs(pid: number, children: ReadonlyMap<number, number[]>): number {
  const stat = statOf(pid);
  const own = times.reduce((sum, field) => sum + Number(stat[field] ?? 0) * tickMs, 0);
  return (children.get(pid) ?? []).reduce((sum, child) => sum + treeMs(child, children), own);
}

/** The ids of the child processes of each process. */
export function childrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const pid of readdirSync('/proc')
    .map(Number)
    .filter((each) => each > 0)) {
    const of = Number(statOf(pid)[parent]);
    children.set(of, [...(children.get(of) ?? []), pid]);
  }
  return children;
}
