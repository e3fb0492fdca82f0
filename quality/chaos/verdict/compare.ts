import type { Outcome } from '../records';
import { compareDeliveries, isAccepted } from './deliveries';
import { noFindings, type Evidence } from './evidence';
import { compareEvents, compareMessages } from './events';
import { compareStored } from './stored-changes';

export type Verdict = ReturnType<typeof compare>;

/** Compares what was acknowledged, stored, published and delivered. */
export function compare(evidence: Evidence) {
  const { changes, hooks, events, pending, waitedMs } = evidence;
  const findings = noFindings();
  compareStored(evidence, findings);
  const { unique, repeated } = compareEvents(evidence, findings);
  const expected = compareDeliveries(evidence, unique, findings);
  compareMessages(evidence, findings);
  for (const [what, count] of Object.entries({ ...pending.due, ...pending.failed }))
    if (count > 0) findings.notDrained.push(`${count} ${what}`);
  const number = (wanted: Outcome) => changes.filter(({ outcome }) => outcome === wanted).length;
  const accepted = hooks.filter(isAccepted).map(({ id, path }) => `${id} ${path}`);
  return {
    findings,
    /** What was tried, by the words of the report. */
    counts: {
      'changes acknowledged': number('acknowledged'),
      'changes refused': number('refused'),
      'changes without an answer': number('unknown'),
      'creates that their key replayed': changes.filter(({ keyed }) => keyed?.replayed).length,
      events: events.length,
      'events that came again': repeated,
      'deliveries expected': expected,
      'deliveries accepted': accepted.length,
      'deliveries accepted again': accepted.length - new Set(accepted).size,
      'deliveries that receivers refused or did not answer': hooks.length - accepted.length,
    },
    waitedMs,
  };
}
