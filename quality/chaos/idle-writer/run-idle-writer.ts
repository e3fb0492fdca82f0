import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '@canvass/stack';
import type { ChaosArguments } from '../arguments';
import { freshRunDir, leaveRunDir, startOwnStack } from '../own-stack';
import { deadRows, openIdleSessions } from './idle-sessions';
import { Load } from './load';
import { backlogGoneAfter, partsOf, throughputIn, type Span, type Throughput } from './passages';

/** What was seen before, while and after somebody was idle in a transaction. */
export interface IdleWriterResult {
  startedAt: number;
  normalSeconds: number;
  idleSeconds: number;
  normal: Throughput;
  idle: Throughput;
  /** The idle time in five parts: does it get worse? */
  parts: Throughput[];
  deadRows: Record<string, number>;
  /** Acknowledged and not delivered when the writer committed. */
  backlog: number;
  backlogGoneMs: number | null;
  /** Submissions the idle writer completed, and how many of their webhooks came before its commit, which must be none. */
  own: number;
  ownTooEarly: number;
  failures: number;
  acknowledged: number;
  lost: number;
}

const warmUpMs = 15_000;
/** Nothing is waited for longer than this. */
const patienceMs = 180_000;

/** A stack of its own, a steady load, and two foreign sessions that idle in their transactions meanwhile. */
export async function runIdleWriter(
  wanted: ChaosArguments,
  say: (line: string) => void,
  interrupted: AbortSignal,
): Promise<IdleWriterResult> {
  const dir = await freshRunDir();
  let stack: Stack | undefined;
  let load: Load | undefined;
  try {
    stack = await startOwnStack({
      dir,
      env: {},
      seeded: null,
      say: (line) => interrupted.aborted || say(`  ${line}`),
    });
    load = new Load(stack);
    return await measure(wanted, stack, load, say, interrupted);
  } finally {
    await load?.close();
    await stack?.stop();
    leaveRunDir(dir, wanted.keep);
  }
}

async function measure(
  wanted: ChaosArguments,
  { file }: Stack,
  load: Load,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<IdleWriterResult> {
  const idleSeconds = wanted.seconds;
  const normalSeconds = Math.min(120, Math.max(10, Math.round(idleSeconds / 4)));
  const startedAt = Date.now();
  await load.prepare();
  const own = await load.parked();
  load.start(wanted.rate);
  await sleep(warmUpMs, undefined, { signal });

  say(`Normal for ${normalSeconds} s at ${wanted.rate} completed submissions a second …`);
  const normal = await spanOf(normalSeconds, signal);
  say(`Idle in transaction for ${idleSeconds} s …`);
  const sessions = await openIdleSessions(file.databaseUrl, own);
  const idle = await spanOf(idleSeconds, signal);
  const dead = await deadRows(file.databaseUrl);
  const ownTooEarly = own.filter((id) => load.isDelivered(id)).length;
  const committedAt = Date.now();
  await sessions.commit();
  const backlog = load
    .all()
    .filter(({ acknowledgedAt, deliveredAt }) => acknowledgedAt !== null && deliveredAt === null).length;
  say(`Committed; ${backlog} events wait. The load goes on until they are gone …`);
  const gone = () => backlogGoneAfter(load.all(), committedAt, own);
  await until(() => gone() !== null, signal);
  const backlogGoneMs = gone();

  await load.cease();
  const missing = () => load.all().filter(({ deliveredAt }) => deliveredAt === null).length;
  await until(() => missing() === 0, signal);
  const passages = load.all();
  return {
    startedAt,
    normalSeconds,
    idleSeconds,
    backlog,
    backlogGoneMs,
    ownTooEarly,
    normal: throughputIn(passages, normal),
    idle: throughputIn(passages, idle),
    parts: partsOf(idle, 5).map((part) => throughputIn(passages, part)),
    deadRows: dead,
    own: own.length,
    failures: load.failures,
    acknowledged: passages.filter(({ acknowledgedAt }) => acknowledgedAt !== null).length,
    lost: missing(),
  };
}

async function spanOf(seconds: number, signal: AbortSignal): Promise<Span> {
  const from = Date.now();
  await sleep(seconds * 1000, undefined, { signal });
  return { from, to: Date.now() };
}

async function until(reached: () => boolean, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!reached() && Date.now() < deadline) await sleep(250, undefined, { signal });
}
