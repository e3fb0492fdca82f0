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
 * @param receiverPid process that the deliveries go to
 */
export async function watchCpu(bench: Bench, receiverPid: number, variants: readonly Variant[]) {
  const { file } = await bench.stack();
  const { rows } = await (await bench.database()).query<{ pid: number }>('select pg_backend_pid() as pid');
  const roots: [name: string, pid: number][] = [
    ['relay', file.services['webhook-relay-svc'].pid!],
    ['Postgres', Number(statOf(rows[0]!.pid)[parent])],
    ['receiver', receiverPid],
    ...(file.infra.rabbitmq.pid === null ? [] : [['RabbitMQ', file.infra.rabbitmq.pid] as [string, number]]),
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
    notes: () => [...used].map(([name, { cpu, operations }]) => noteOf(name, cpu, operations)),
  };
}

function noteOf(variant: string, cpu: CpuTimes, operations: number): string {
  const each = Object.entries(cpu).map(([name, ms]) => `${name} ${(ms / operations).toFixed(3)}`);
  const sum = Object.values(cpu).reduce((total, ms) => total + ms, 0) / operations;
  const cores = os.cpus().length;
  return (
    `CPU of a delivery in ms, ${variant}: ${each.join(', ')}; together ${sum.toFixed(3)}. ` +
    `${cores} cores without any other work can do ${Math.round((cores * 1000) / sum).toLocaleString('en-US')}/s.`
  );
}

/** The publisher is this process. */
function cpuTimes(roots: readonly (readonly [name: string, pid: number])[]): CpuTimes {
  const { user, system } = process.cpuUsage();
  const children = childrenByParent();
  const times = roots.map(([name, pid]) => [name, treeMs(pid, children)] as const);
  return { ...Object.fromEntries(times), publisher: (user + system) / 1000 };
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

function childrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const pid of readdirSync('/proc')
    .map(Number)
    .filter((each) => each > 0)) {
    const of = Number(statOf(pid)[parent]);
    children.set(of, [...(children.get(of) ?? []), pid]);
  }
  return children;
}
