import type { Change } from '../records';
import { compareDeliveries, isAccepted } from './deliveries';
import { compareEvents } from './event-stream';
import { compareResends, measureInterruptions } from './interruptions';
import { explainDuplicates, measureRecoveries } from './recovery';
import { compareStored } from './stored-changes';
import { noFindings, type Evidence, type Findings, type Verdict } from './verdict';

/** Compares what was acknowledged, what is stored, what was published and what was delivered. */
export function compare(evidence: Evidence): Verdict {
  const { changes, hooks, events, stored, faults, quiet } = evidence;
  const findings = noFindings();
  const { unknownStored } = compareStored(evidence, findings);
  const { duplicates, redelivered, unique } = compareEvents(evidence, findings);
  const { expected, cancelled } = compareDeliveries(evidence, unique, findings);
  compareResends(evidence, findings);
  const interruptions = measureInterruptions(evidence, findings);
  findings.copies.push(...stored.copyFaults);
  findUnrest(quiet, findings);
  const number = (outcome: Change['outcome']) =>
    changes.filter((change) => change.outcome === outcome).length;
  const acceptedDeliveries = hooks.filter(isAccepted).length;
  return {
    findings,
    recoveries: measureRecoveries(faults, changes, hooks),
    duplicates: { events: duplicates, redelivered, ...explainDuplicates(hooks, faults, evidence.resends) },
    interruptions,
    counts: {
      acknowledged: number('acknowledged'),
      refused: number('refused'),
      unknown: number('unknown'),
      unknownStored,
      byOperation: byOperation(changes),
      storedEntities: stored.entities.length,
      events: events.length,
      expectedDeliveries: expected,
      acceptedDeliveries,
      refusedDeliveries: hooks.length - acceptedDeliveries,
      cancelledDeliveries: cancelled,
      repeatedCreates: changes.filter(({ keyed }) => keyed && keyed.repeats > 0).length,
      replayedCreates: changes.filter(({ keyed }) => keyed?.replayed).length,
      resends: evidence.resends.filter(({ outcome }) => outcome === 'acknowledged').length,
      firstAt: changes[0]?.sentAt ?? 0,
      lastAt: changes.at(-1)?.doneAt ?? 0,
    },
    quietAfterMs: quiet.waitedMs,
  };
}

function byOperation(changes: readonly Change[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { entity, operation, outcome } of changes) {
    const name = `${entity}: ${operation}, ${outcome}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

function findUnrest(quiet: Evidence['quiet'], findings: Findings): void {
  const still: [number, string][] = [
    [quiet.outboxRows, 'rows in the outboxes'],
    [quiet.poisonedRows, 'rows in outbox_poison'],
    [quiet.pendingDeliveries, 'deliveries still to be made'],
    [quiet.queuedMessages, `messages in queues (${quiet.detail})`],
    [quiet.deadLetters, 'messages in service.dead'],
  ];
  for (const [count, what] of still) if (count > 0) findings.unrest.push(`${count} ${what}`);
}
