import { keyOf, type Change, type SeenEvent } from '../records';
import type { Evidence, Findings } from './evidence';

/** Every revision has its event, and every acknowledged change its events. An event may be repeated. */
export function compareEvents(
  evidence: Evidence,
  findings: Findings,
): { events: number; redelivered: number; unique: SeenEvent[] } {
  const { events, changes } = evidence;
  const byId = new Map<string, SeenEvent>();
  for (const event of events) if (!byId.has(event.id)) byId.set(event.id, event);
  const unique = [...byId.values()];
  const byEntity = groupBy(unique, ({ entity, entityId }) => keyOf(entity, entityId));
  const byRevision = groupBy(
    unique,
    ({ entity, entityId, revision }) => `${keyOf(entity, entityId)} ${revision}`,
  );
  for (const [key, group] of byRevision) {
    const types = group.map(({ type }) => type);
    if (new Set(types).size < types.length)
      findings.phantom.push(`${key}: several events of one change (${types.join(', ')})`);
  }
  findGaps(evidence, byRevision, findings);
  for (const change of changes) {
    if (change.outcome !== 'acknowledged' || change.entityId === null) continue;
    const key = keyOf(change.entity, change.entityId);
    const group = change.revision === null ? byEntity.get(key) : byRevision.get(`${key} ${change.revision}`);
    compareChange(key, change, group ?? [], findings);
  }
  const repeated = events.filter((event) => byId.get(event.id) !== event);
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
  const reach = (key: string, revision: bigint) => {
    if ((highest.get(key) ?? 0n) < revision) highest.set(key, revision);
  };
  for (const { entity, id, revision } of stored.entities) reach(keyOf(entity, id), BigInt(revision));
  for (const { entity, entityId, revision } of changes)
    if (entityId !== null && revision !== null) reach(keyOf(entity, entityId), BigInt(revision));
  for (const [key, last] of highest) {
    // The first revision of a tenant's settings is the empty one.
    for (let revision = key.startsWith('tenant') ? 2n : 1n; revision <= last; revision++) {
      if (!byRevision.has(`${key} ${revision}`))
        findings.gaps.push(`${key}: no event of revision ${revision} of ${last}`);
    }
  }
}

function compareChange(
  key: string,
  { events, operation, marker, revision }: Change,
  published: readonly SeenEvent[],
  findings: Findings,
): void {
  for (const type of events) {
    const event = published.find((candidate) => candidate.type === type);
    if (!event) findings.lost.push(`${key}: ${operation} was acknowledged, but ${type} was not published`);
    else if (marker !== null && event.marker !== null && event.marker !== marker)
      findings.lost.push(`${key}: revision ${revision} wrote ${marker}, its event says ${event.marker}`);
  }
}
