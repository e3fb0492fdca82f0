import { readdirSync, readFileSync } from 'node:fs';

/** A process, or with `tree` a server together with all processes it started. */
export interface Watched {
  name: string;
  pid: number;
  tree?: boolean;
}

/** What processes used while they were watched; null where the system does not tell (no /proc). */
export interface Usage {
  name: string;
  /** User and system time. */
  cpuSeconds: number;
  /** The most resident memory seen; memory that several processes of a tree share counts once. */
  peakBytes: number;
}

const ticksPerSecond = 100; // USER_HZ, fixed for all programs on Linux
const sampleMs = 500;

interface Stat {
  parent: number;
  cpuTicks: number;
}

/** Fields of proc(5) stat behind the command name: 1 = parent, 11–14 = own and reaped children's user and system time. */
export function parseStat(text: string): Stat {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const number = (at: number) => Number(fields[at] ?? 0);
  return { parent: number(1), cpuTicks: number(11) + number(12) + number(13) + number(14) };
}

/** Watches processes until told to stop. */
export class UsageWatch {
  private readonly before = new Map<string, number>();
  private readonly peaks = new Map<string, number>();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly watched: readonly Watched[]) {
    const stats = allStats();
    for (const each of watched) this.before.set(each.name, cpuOf(members(each, stats), stats));
    this.sample();
    this.timer = setInterval(() => this.sample(), sampleMs);
  }

  stop(): Usage[] {
    clearInterval(this.timer);
    this.sample();
    const stats = allStats();
    return this.watched.map((each) => ({
      name: each.name,
      cpuSeconds: Math.max(0, cpuOf(members(each, stats), stats) - (this.before.get(each.name) ?? 0)),
      peakBytes: this.peaks.get(each.name) ?? 0,
    }));
  }

  private sample(): void {
    const stats = this.watched.some(({ tree }) => tree) ? allStats() : new Map<number, Stat>();
    for (const each of this.watched) {
      const bytes = residentBytes(members(each, stats));
      this.peaks.set(each.name, Math.max(bytes, this.peaks.get(each.name) ?? 0));
    }
  }
}

function allStats(): Map<number, Stat> {
  const stats = new Map<number, Stat>();
  for (const entry of entriesOfProc()) {
    const text = read(`/proc/${entry}/stat`);
    if (text !== null) stats.set(Number(entry), parseStat(text));
  }
  return stats;
}

function entriesOfProc(): string[] {
  try {
    return readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  } catch {
    return [];
  }
}

function members({ pid, tree }: Watched, stats: ReadonlyMap<number, Stat>): number[] {
  const found = [pid];
  if (!tree) return found;
  for (let grown = 0; grown < found.length; grown++) {
    for (const [candidate, { parent }] of stats) if (parent === found[grown]) found.push(candidate);
  }
  return found;
}

const cpuOf = (pids: readonly number[], stats: ReadonlyMap<number, Stat>): number =>
  pids.reduce((sum, pid) => sum + (stats.get(pid)?.cpuTicks ?? 0), 0) / ticksPerSecond;

/** Resident memory in bytes; of several processes without the files they map, what they share counted once. */
export function residentBytes(pids: readonly number[]): number {
  let own = 0;
  let shared = 0;
  for (const pid of pids) {
    const status = read(`/proc/${pid}/status`);
    if (status === null) continue;
    const kib = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
    own += kib('RssAnon') + (pids.length === 1 ? kib('RssFile') : 0);
    shared = Math.max(shared, kib('RssShmem'));
  }
  return (own + shared) * 1024;
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
