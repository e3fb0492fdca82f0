import type { Outcome } from '../records';
import { compareDeliveries, isAccepted } from './deliveries';
import { noFindings, type Evidence } from './evidence';
import { compareEvents, compareMessages } from './events';
import { compareReached } from './reached';
import { compareStored } from './stored-changes';

export type Verdict = ReturnType<typeof compare>;

/** Compares what was acknowledged, stored, published and delivered. */
export function compare(evidence: Evidence) {
  const { changes, hooks, events, stored, pending, waitedMs } = evidence;
  const findings = noFindings();
  compareStored(evidence, findings);
  const { unique, repeated, redelivered } = compareEvents(evidence, findings);
  const deliveries = compareDeliveries(evidence, unique, findings);
  compareMessages(evidence, findings);
  findings.notDrained.push(...stored.lostSlots);
  findings.phantom.push(...stored.overGate);
  findings.staleCopies.push(...stored.staleCopies);
  for (const [what, count] of Object.entries({ ...pending.due, ...pending.failed }))
    if (count > 0) findings.notDrained.push(`${count} ${what}`);
  const number = (wanted: Outcome) => changes.filter(({ outcome }) => outcome === wanted).length;
  const accepted = hooks.filter(isAccepted);
  return {
    findings,
    reached: compareReached(evidence, findings),
    /** What was tried, by the words of the report. */
    counts: {
      'Changes acknowledged': number('acknowledged'),
      'Changes refused (4xx): none had an effect': number('refused'),
      'Changes without an answer': number('unknown'),
      'Entities stored': stored.entities.length,
      'Events received by the checker': events.length,
      '… of which published again, because a confirm was lost': repeated - redelivered,
      "… of which redelivered, because the checker's connection was lost": redelivered,
      'Deliveries expected': deliveries.expected,
      'Deliveries accepted by receivers': accepted.length,
      '… of which delivered again':
        accepted.length - new Set(accepted.map(({ id, path }) => `${id} ${path}`)).size,
      'Deliveries that receivers refused or did not answer': hooks.length - accepted.length,
      'Deliveries cancelled because settings no longer named the endpoint': deliveries.cancelled,
      'Creates repeated with their Idempotency-Key': changes.filter(({ keyed }) => keyed && keyed.repeats > 0)
        .length,
      '… of which the first had been carried out': changes.filter(({ keyed }) => keyed?.replayed).length,
    },
    waitedMs,
  };
}
