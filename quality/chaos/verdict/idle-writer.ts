import { percentile } from '@canvass/testing';
import type { Change, ReceivedHook } from '../records';
import { isAccepted } from './deliveries';
import type { Evidence, Findings } from './evidence';

/** The operation by which the records show what the idle writer itself committed. */
export const ownOperation = 'complete in an idle transaction';

/** Rates and latencies in one span of time. */
export interface Throughput {
  span: string;
  acknowledgedPerSecond: number;
  deliveredPerSecond: number;
  /** Deliveries per second over those of the normal span. */
  ofNormal: number;
  /** Milliseconds from acknowledgement to delivery of what was acknowledged in the span. */
  p50: number;
  p99: number;
}

/** What a steady load saw before, while and after a writer was idle in its transaction. */
export interface IdleWriterResult {
  /** The normal span, the idle span, and the idle span in five parts. */
  spans: Throughput[];
  /** Submissions that were acknowledged and not delivered at the commit. */
  backlog: number;
  /** From the commit until the backlog and the writer's own events were delivered; null: never. */
  drainedMs: number | null;
  /** Dead rows by table that could not be removed at the commit. */
  deadRows: Record<string, number>;
}

export const leastRatio = 0.9;
export const longestBacklogMs = 60_000;
const parts = 5;

/** Length of the span before the fault that is compared with the fault. */
export const normalMsFor = (idleMs: number): number => Math.min(120_000, Math.max(10_000, idleMs / 4));

/** A completed submission and when it was first delivered. */
interface Passage {
  isOwn: boolean;
  acknowledgedAt: number;
  deliveredAt: number;
}

/** Measures the throughput and reports what is below the promise. Null if no writer was idle. */
export function measureIdleWriter(
  { changes, hooks, faults }: Pick<Evidence, 'changes' | 'hooks' | 'faults'>,
  findings: Findings,
): IdleWriterResult | null {
  const fault = faults.find(({ kind }) => kind === 'idle-writer');
  if (!fault?.backAt) return null;
  const own = changes.filter(({ operation }) => operation === ownOperation);
  const { startedAt } = fault;
  const committedAt = own[0]?.doneAt ?? fault.backAt;
  const idleMs = committedAt - startedAt;
  const passages = passagesOf(changes, hooks);
  const normal = throughput('normal', passages, startedAt - normalMsFor(idleMs), startedAt);
  const idle = throughput('idle', passages, startedAt, committedAt);
  const fifths = Array.from({ length: parts }, (_, n) => {
    const at = (part: number) => startedAt + (part * idleMs) / parts;
    return throughput(`idle, part ${n + 1} of ${parts}`, passages, at(n), at(n + 1));
  });
  const spans = [normal, idle, ...fifths].map((span) => ({
    ...span,
    ofNormal: span.deliveredPerSecond / normal.deliveredPerSecond,
  }));
  const waiting = passages.filter(
    ({ acknowledgedAt, deliveredAt }) => acknowledgedAt <= committedAt && deliveredAt > committedAt,
  );
  const lastAt = waiting.reduce((last, { deliveredAt }) => Math.max(last, deliveredAt), committedAt);
  const drainedMs = lastAt === Infinity ? null : lastAt - committedAt;
  const backlog = waiting.filter(({ isOwn }) => !isOwn).length;

  const [whole, last] = [spans[1]!.ofNormal, spans.at(-1)!.ofNormal];
  if (normal.deliveredPerSecond === 0) findings.late.push('nothing was delivered before the fault');
  if (!(whole >= leastRatio)) findings.late.push(`throughput fell to ${whole.toFixed(2)} of normal`);
  if (!(last >= leastRatio))
    findings.late.push(`in the last fifth throughput was ${last.toFixed(2)} of normal`);
  if (drainedMs === null || drainedMs > longestBacklogMs)
    findings.late.push(`the backlog was not drained ${longestBacklogMs / 1000} s after the commit`);
  const ownKeys = new Set(own.map(({ key }) => key));
  for (const { id, key, at } of hooks) {
    if (ownKeys.has(key) && at < committedAt)
      findings.phantom.push(`hook ${id} of ${key} came before its change was committed`);
  }
  return { spans, backlog, drainedMs, deadRows: fault.deadRows ?? {} };
}

function passagesOf(changes: readonly Change[], hooks: readonly ReceivedHook[]): Passage[] {
  const deliveredAt = new Map<string, number>();
  for (const { key, at } of hooks.filter(isAccepted)) if (!deliveredAt.has(key)) deliveredAt.set(key, at);
  return changes
    .filter(({ outcome, events }) => outcome === 'acknowledged' && events.includes('submission.completed'))
    .map(({ operation, key, doneAt }) => ({
      isOwn: operation === ownOperation,
      acknowledgedAt: doneAt,
      deliveredAt: deliveredAt.get(key ?? '') ?? Infinity,
    }));
}

/** Counts what was acknowledged and what was delivered from `from` to `to`, in ms since 1970. */
function throughput(span: string, passages: readonly Passage[], from: number, to: number) {
  const within = (at: number) => at >= from && at < to;
  const acknowledged = passages.filter(({ acknowledgedAt }) => within(acknowledgedAt));
  const delivered = passages.filter(({ deliveredAt }) => within(deliveredAt));
  const perSecond = (list: readonly Passage[]) => list.length / ((to - from) / 1000);
  // A webhook may arrive before the answer of the API.
  const latencies = acknowledged.map(({ acknowledgedAt, deliveredAt }) =>
    Math.max(0, deliveredAt - acknowledgedAt),
  );
  return {
    span,
    acknowledgedPerSecond: perSecond(acknowledged),
    deliveredPerSecond: perSecond(delivered),
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
  };
}
