import type { Change, FaultRecord, ReceivedHook, Resend } from '../records';
import { isAccepted } from './deliveries';

export interface Recovery {
  kind: string;
  description: string;
  /** Until the component was back. */
  downMs: number;
  /** From then to the first delivery of a change made since the outage began; null: there was none. */
  recoveryMs: number | null;
  /** Another fault was present at the same time, so the time is not only due to this one. */
  disturbed: boolean;
}

/** Faults that can stop deliveries while they last. */
const blocking = [
  'kill',
  'failpoint',
  'pause',
  'rabbitmq-restart',
  'postgres-restart',
  'read-only',
  'no-connections',
  'partition',
  'alarm',
  'queue-full',
  'queue-deleted',
  'promotion',
  'clock',
  'link',
];

const endOf = ({ startedAt, backAt }: FaultRecord): number => backAt ?? startedAt;

/**
 * Measures the time from each component's return to the first delivery of a change made since the outage
 * began. The outage begins with the fault, or with an earlier one that was still present. If another blocking
 * fault was present before that delivery, the time counts from the end of that fault.
 */
export function measureRecoveries(
  faults: readonly FaultRecord[],
  changes: readonly Change[],
  hooks: readonly ReceivedHook[],
): Recovery[] {
  const accepted = acceptedDeliveries(changes, hooks);
  const measure = (fault: FaultRecord): Recovery => {
    const { description, kind, startedAt } = fault;
    let back = endOf(fault);
    const recovery = { description, kind, downMs: back - startedAt };
    const others = faults.filter((other) => other !== fault);
    const blockers = others.filter((other) => blocking.includes(other.kind));
    const already = blockers.filter((other) => other.startedAt < startedAt && endOf(other) >= startedAt);
    const outageAt = Math.min(startedAt, ...already.map((other) => other.startedAt));
    let disturbed = others.some((other) => other.startedAt <= back && endOf(other) >= startedAt);
    for (;;) {
      const first = accepted.find(({ madeAt, at }) => at >= back && madeAt >= outageAt)?.at;
      const later = blockers.filter((other) => other.startedAt <= (first ?? Infinity) && endOf(other) > back);
      if (later.length === 0)
        return { ...recovery, recoveryMs: first === undefined ? null : first - back, disturbed };
      disturbed = true;
      back = Math.min(...later.map(endOf));
    }
  };
  return faults.filter(({ kind, backAt }) => kind !== 'receiver' && backAt !== null).map(measure);
}

/** Accepted deliveries in order of time, with the time at which their change was requested. */
function acceptedDeliveries(
  changes: readonly Change[],
  hooks: readonly ReceivedHook[],
): { madeAt: number; at: number }[] {
  const made = new Map(changes.map(({ key, revision, sentAt }) => [`${key} ${revision}`, sentAt]));
  return hooks
    .filter(isAccepted)
    .map(({ key, revision, at }) => ({ madeAt: made.get(`${key} ${revision}`) ?? 0, at }))
    .sort((a, b) => a.at - b.at);
}

/**
 * A result is recorded and its lease returned within this time after the delivery; a fault then causes a
 * duplicate.
 */
const nearMs = 3_000;

/**
 * Counts deliveries that an endpoint had accepted before, by the faults that were near the first delivery.
 */
export function explainDuplicates(
  hooks: readonly ReceivedHook[],
  faults: readonly FaultRecord[],
  resends: readonly Resend[],
): { hooks: number; byCause: Record<string, number> } {
  const acceptedAt = new Map<string, number>();
  const byCause: Record<string, number> = {};
  let duplicates = 0;
  const resent = new Set(resends.filter(({ outcome }) => outcome !== 'refused').map(({ hookId }) => hookId));
  for (const { id, path, at } of hooks.filter(isAccepted)) {
    const before = acceptedAt.get(`${id} ${path}`);
    acceptedAt.set(`${id} ${path}`, at);
    if (before === undefined) continue;
    duplicates += 1;
    const near = faults.filter(
      (fault) => fault.startedAt <= before + nearMs && endOf(fault) >= before - nearMs,
    );
    const kinds = near.map(({ kind }) => kind).sort();
    const cause = resent.has(id) ? 'resent on request' : kinds.join(' + ') || 'no fault near';
    byCause[cause] = (byCause[cause] ?? 0) + 1;
  }
  return { hooks: duplicates, byCause };
}
