import type { Change, FaultRecord, ReceivedHook, Resend } from '../records';
import { isAccepted } from './deliveries';
import { keyOf, type Duplicates, type Recovery } from './verdict';

/** A delivery that came through, and when its change was asked for. */
interface Flow {
  madeAt: number;
  acceptedAt: number;
}

/** Faults that can keep deliveries from flowing for as long as they last. */
const blocking = ['kill', 'pause', 'rabbitmq-restart', 'postgres-restart', 'alarm', 'queue-full', 'link'];

/**
 * Times from each component's being back to the first delivery of a change that was made since the outage began: since its
 * fault, or since one that was there already and had things piled up. Where another fault was there before that delivery
 * came, the time counts from when that one was over, too.
 */
export function measureRecoveries(
  faults: readonly FaultRecord[],
  changes: readonly Change[],
  hooks: readonly ReceivedHook[],
): Recovery[] {
  const flows = flowsOf(changes, hooks);
  const over = ({ startedAt, backAt }: FaultRecord) => backAt ?? startedAt;
  return faults
    .filter(({ kind, backAt }) => kind !== 'receiver' && backAt !== null)
    .map((fault) => {
      const { description, kind, startedAt } = fault;
      const downMs = over(fault) - startedAt;
      const others = faults.filter((other) => blocking.includes(other.kind) && other !== fault);
      const already = others.filter((other) => other.startedAt < startedAt && over(other) >= startedAt);
      const outageAt = Math.min(startedAt, ...already.map((other) => other.startedAt));
      let back = over(fault);
      let disturbed = faults.some(
        (other) => other !== fault && other.startedAt <= back && over(other) >= startedAt,
      );
      for (;;) {
        const first = flows.find(({ madeAt, acceptedAt }) => acceptedAt >= back && madeAt >= outageAt);
        const until = first?.acceptedAt ?? Infinity;
        const later = others.filter((other) => other.startedAt <= until && over(other) > back).map(over);
        if (later.length === 0) {
          return { description, kind, startedAt, downMs, recoveryMs: first ? until - back : null, disturbed };
        }
        disturbed = true;
        back = Math.min(...later);
      }
    });
}

function flowsOf(changes: readonly Change[], hooks: readonly ReceivedHook[]): Flow[] {
  const made = new Map<string, number>();
  for (const { entity, entityId, revision, sentAt } of changes) {
    if (entityId !== null && revision !== null) made.set(`${keyOf(entity, entityId)} ${revision}`, sentAt);
  }
  return hooks
    .filter(isAccepted)
    .map(({ event, entityId, revision, at }) => {
      const entity = event.startsWith('form_') ? 'form' : 'submission';
      return { madeAt: made.get(`${keyOf(entity, entityId)} ${revision}`) ?? 0, acceptedAt: at };
    })
    .sort((a, b) => a.acceptedAt - b.acceptedAt);
}

/** A result is recorded, and its lease given back, within this time of the delivery: a fault then makes a duplicate. */
const nearMs = 3_000;

/** Deliveries that an endpoint had accepted before, with the fault that was there at the first. */
export function explainDuplicates(
  hooks: readonly ReceivedHook[],
  faults: readonly FaultRecord[],
  resends: readonly Resend[],
): Omit<Duplicates, 'events' | 'redelivered'> {
  const first = new Map<string, number>();
  const byCause: Record<string, number> = {};
  let duplicates = 0;
  const asked = new Set(resends.filter(({ outcome }) => outcome !== 'refused').map(({ hookId }) => hookId));
  for (const hook of hooks.filter(isAccepted)) {
    const key = `${hook.hookId} ${hook.path}`;
    const before = first.get(key);
    first.set(key, hook.at);
    if (before === undefined) continue;
    duplicates += 1;
    const causes = faults.filter(
      ({ startedAt, backAt }) => startedAt <= before + nearMs && (backAt ?? startedAt) >= before - nearMs,
    );
    const cause = asked.has(hook.hookId)
      ? 'resent on request'
      : causes
          .map(({ kind }) => kind)
          .sort()
          .join(' + ') || 'no fault near';
    byCause[cause] = (byCause[cause] ?? 0) + 1;
  }
  return { hooks: duplicates, byCause };
}
