import { countOperations, countsOf } from './counts';
import { compareDeliveries } from './deliveries';
import { compareEvents } from './events';
import { measureIdleWriter } from './idle-writer';
import { compareResends, measureInterruptions } from './interruptions';
import { compareMessages } from './messages';
import { compareReached } from './reached';
import { explainDuplicates, measureRecoveries } from './recovery';
import { compareStored } from './stored-changes';
import { noFindings, type Evidence } from './evidence';

export type Verdict = ReturnType<typeof compare>;

/** Compares what was acknowledged, stored, published and delivered. */
export function compare(evidence: Evidence) {
  const { changes, hooks, faults, resends, stored, pending, waitedMs } = evidence;
  const findings = noFindings();
  compareStored(evidence, findings);
  const { unique, ...events } = compareEvents(evidence, findings);
  const deliveries = compareDeliveries(evidence, unique, findings);
  compareMessages(evidence, findings);
  compareResends(evidence, findings);
  findings.signatures.push(...evidence.wrongSignatures);
  findings.notDrained.push(...stored.lostSlots);
  findings.phantom.push(...stored.overGate);
  findings.staleCopies.push(...stored.staleCopies);
  for (const [what, count] of Object.entries({ ...pending.due, ...pending.failed }))
    if (count > 0) findings.notDrained.push(`${count} ${what}`);
  for (const { kind, error, description } of faults)
    if (kind === 'failpoint' && error !== null) findings.notReached.push(`${description}: ${error}`);
  const causes = explainDuplicates(hooks, faults, resends);
  const duplicates = { ...events, ...causes };
  return {
    findings,
    recoveries: measureRecoveries(faults, changes, hooks),
    duplicates,
    reached: compareReached(evidence, findings),
    interruptions: measureInterruptions(evidence, findings),
    counts: countsOf(evidence, deliveries, duplicates),
    operations: countOperations(evidence),
    idleWriter: measureIdleWriter(evidence, findings),
    waitedMs,
  };
}
