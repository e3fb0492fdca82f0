import type { Outcome } from '../records';
import { isAccepted, type DeliveryCounts } from './deliveries';
import type { Evidence } from './evidence';

export type Counts = ReturnType<typeof countsOf>;

/** Counts what was tried. */
export function countsOf({ changes, hooks, events, resends, stored }: Evidence, deliveries: DeliveryCounts) {
  const number = (wanted: Outcome) => changes.filter(({ outcome }) => outcome === wanted).length;
  const unknown = new Set(changes.filter(({ outcome }) => outcome === 'unknown').map(({ marker }) => marker));
  const acceptedDeliveries = hooks.filter(isAccepted).length;
  const byOperation: Record<string, number> = {};
  for (const { entity, operation, outcome } of changes) {
    const name = `${entity}: ${operation}, ${outcome}`;
    byOperation[name] = (byOperation[name] ?? 0) + 1;
  }
  return {
    acknowledged: number('acknowledged'),
    refused: number('refused'),
    unknown: number('unknown'),
    unknownStored: stored.entities.filter(({ marker }) => marker !== null && unknown.has(marker)).length,
    byOperation,
    storedEntities: stored.entities.length,
    events: events.length,
    acceptedDeliveries,
    refusedDeliveries: hooks.length - acceptedDeliveries,
    repeatedCreates: changes.filter(({ keyed }) => keyed && keyed.repeats > 0).length,
    replayedCreates: changes.filter(({ keyed }) => keyed?.replayed).length,
    resends: resends.filter(({ outcome }) => outcome === 'acknowledged').length,
    seconds: Math.max(1, ((changes.at(-1)?.doneAt ?? 0) - (changes[0]?.sentAt ?? 0)) / 1000),
    ...deliveries,
  };
}
