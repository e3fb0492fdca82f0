import type { Change, SeenEvent } from '../records';
import type { Evidence, Findings } from './evidence';

/** Every revision has its event, and every acknowledged change its events. An event may be repeated. */
export function compareEvents(
  evidence: Evidence,
  findings: Findings,
): { events: number; redelivered: number; unique: SeenEvent[] } {
  const byId = new Map<string, SeenEvent>();
  for (const event of evidence.events) if (!byId.has(event.id)) byId.set(event.id, event);
  const unique = [...byId.values()];
  const byEntity = groupBy(unique, ({ key }) => key);
  const byRevision = groupBy(unique, ({ key, revision }) => `${key} ${revision}`);
  for (const [change, group] of byRevision) {
    const types = group.map(({ type }) => type);
    if (new Set(types).size < types.length)
      findings.phantom.push(`${change}: several events of one change (${types.join(', ')})`);
  }
  findGaps(evidence, byRevision, findings);
  for (const change of evidence.changes) {
    const { outcome, key, revision } = change;
    if (outcome !== 'acknowledged' || key === null) continue;
    compareChange(
      change,
      (revision === null ? byEntity.get(key) : byRevision.get(`${key} ${revision}`)) ?? [],
      findings,
    );
  }
  const repeated = evidence.events.filter((event) => byId.get(event.id) !== event);
  const redelivered = repeated.filter((event) => event.redelivered).length;
  return { events: repeated.length, redelivered, unique };
}

/** Groups items by key, in order. */
export function groupBy<T>(items: readonly T[], keyFor: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyFor(item));
    if (group) group.push(item);
    else groups.set(keyFor(item), [item]);
  }
  return groups;
}

function findGaps(
  { stored, changes }: Evidence,
  byRevision: Map<string, SeenEvent[]>,
  findings: Findings,
): void {
  const highest = new Map<string, bigint>();
  for (const { key, revision } of [...stored.entities, ...changes]) {
    if (key === null || revision === null) continue;
    if ((highest.get(key) ?? 0n) < BigInt(revision)) highest.set(key, BigInt(revision));
  }
  for (const [key, last] of highest) {
    // The first revision of a tenant's settings is the empty one.
    for (let revision = key.startsWith('tenant') ? 2n : 1n; revision <= last; revision++) {
      if (!byRevision.has(`${key} ${revision}`))
        findings.gaps.push(`${key}: no event of revision ${revision} of ${last}`);
    }
  }
}

function compareChange(change: Change, published: readonly SeenEvent[], findings: Findings): void {
  const { key, events, operation, marker, revision } = change;
  for (const type of events) {
    const event = published.find((candidate) => candidate.type === type);
    if (!event) findings.lost.push(`${key}: ${operation} was acknowledged, but ${type} was not published`);
    else if (marker !== null && event.marker !== null && event.marker !== marker)
      findings.lost.push(`${key}: revision ${revision} wrote ${marker}, its event says ${event.marker}`);
  }
}
