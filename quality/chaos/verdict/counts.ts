import type { Outcome } from '../records';
import { isAccepted, type DeliveryCounts } from './deliveries';
import type { Evidence } from './evidence';

export interface Duplicates {
  events: number;
  /** Events that the broker redelivered because the checker's own connection was lost. */
  redelivered: number;
  hooks: number;
}

/** Counts what was tried, by the words of the report. */
export function countsOf(
  { changes, hooks, events, resends, stored }: Evidence,
  { expected, cancelled }: DeliveryCounts,
  duplicates: Duplicates,
) {
  const number = (wanted: Outcome) => changes.filter(({ outcome }) => outcome === wanted).length;
  const unknown = new Set(changes.filter(({ outcome }) => outcome === 'unknown').map(({ marker }) => marker));
  const isUnknown = ({ marker }: { marker: string | null }) => marker !== null && unknown.has(marker);
  const accepted = hooks.filter(isAccepted).length;
  return {
    'Changes acknowledged': number('acknowledged'),
    'Changes refused (4xx): none had an effect': number('refused'),
    'Changes without an answer': number('unknown'),
    '… of which found stored in the end (submissions, forms)': stored.entities.filter(isUnknown).length,
    'Entities stored': stored.entities.length,
    'Events received by the checker': events.length,
    '… of which published again, because a confirm was lost': duplicates.events - duplicates.redelivered,
    "… of which redelivered, because the checker's connection was lost": duplicates.redelivered,
    'Deliveries expected': expected,
    'Deliveries accepted by receivers': accepted,
    '… of which delivered again': duplicates.hooks,
    'Deliveries that receivers refused or did not answer': hooks.length - accepted,
    'Webhooks sent again because staff requested it': resends.filter(
      ({ outcome }) => outcome === 'acknowledged',
    ).length,
    'Creates repeated with their Idempotency-Key': changes.filter(({ keyed }) => keyed && keyed.repeats > 0)
      .length,
    '… of which the first had been carried out': changes.filter(({ keyed }) => keyed?.replayed).length,
    'Deliveries cancelled because settings no longer named the endpoint': cancelled,
  };
}

/** Counts changes by what was tried and by outcome. */
export function countOperations({ changes }: Evidence): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { entity, operation, outcome } of changes) {
    const name = `${entity}: ${operation}, ${outcome}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
