import type { Change, SeenEvent } from '../records';
import { keyOf, type Evidence, type Findings } from './verdict';

/** Every revision has its event, every event its change; each event once, or again with the same bytes. */
export function compareEvents(
  evidence: Evidence,
  findings: Findings,
): { duplicates: number; redelivered: number; unique: SeenEvent[] } {
  const unique = uniqueEvents(evidence.events, findings);
  const byChange = new Map<string, SeenEvent[]>();
  for (const event of unique) {
    const key = `${keyOf(event.entity, event.entityId)} ${event.revision}`;
    byChange.set(key, [...(byChange.get(key) ?? []), event]);
  }
  for (const [key, events] of byChange) {
    const types = events.map(({ type }) => type);
    if (new Set(types).size < types.length)
      findings.phantom.push(`${key}: several events of one change (${types.join(', ')})`);
  }
  findGaps(evidence, byChange, findings);
  findPhantoms(evidence, unique, findings);
  for (const change of evidence.changes) compareChange(change, byChange, unique, findings);
  const first = new Set(unique);
  const again = evidence.events.filter((event) => !first.has(event));
  return { duplicates: again.length, redelivered: again.filter((event) => event.redelivered).length, unique };
}

function uniqueEvents(events: readonly SeenEvent[], findings: Findings): SeenEvent[] {
  const first = new Map<string, SeenEvent>();
  for (const event of events) {
    const known = first.get(event.id);
    if (!known) first.set(event.id, event);
    else if (known.digest !== event.digest)
      findings.changedBytes.push(`event ${event.id} (${event.type}) came again with other bytes`);
  }
  return [...first.values()];
}

function findGaps(
  { stored, changes }: Evidence,
  byChange: Map<string, SeenEvent[]>,
  findings: Findings,
): void {
  const highest = new Map(
    stored.entities.map(({ entity, id, revision }) => [keyOf(entity, id), BigInt(revision)]),
  );
  for (const { entity, entityId, revision } of changes) {
    if (entityId === null || revision === null) continue;
    const key = keyOf(entity, entityId);
    if ((highest.get(key) ?? 0n) < BigInt(revision)) highest.set(key, BigInt(revision));
  }
  for (const [key, last] of highest) {
    // The first revision of a tenant's record is the empty one.
    for (let revision = key.startsWith('tenant') ? 2n : 1n; revision <= last; revision++) {
      if (!byChange.has(`${key} ${revision}`))
        findings.gaps.push(`${key}: no event of revision ${revision} of ${last}`);
    }
  }
}

function findPhantoms({ stored, changes }: Evidence, unique: SeenEvent[], findings: Findings): void {
  const revisions = new Map(
    stored.entities.map(({ entity, id, revision }) => [keyOf(entity, id), BigInt(revision)]),
  );
  const refused = new Set(changes.filter(({ outcome }) => outcome === 'refused').map(({ marker }) => marker));
  for (const { id, type, entity, entityId, revision, marker } of unique) {
    const known = revisions.get(keyOf(entity, entityId));
    // Data lists are deleted for good, and then only their events are left.
    if (known === undefined ? entity !== 'datalist' : BigInt(revision) > known)
      findings.phantom.push(
        `event ${id} (${type}) of ${keyOf(entity, entityId)} revision ${revision}: not stored`,
      );
    if (marker !== null && refused.has(marker))
      findings.phantom.push(`event ${id} (${type}) carries ${marker}, which was refused`);
  }
}

function compareChange(
  change: Change,
  byChange: Map<string, SeenEvent[]>,
  unique: SeenEvent[],
  findings: Findings,
): void {
  if (change.outcome !== 'acknowledged' || change.entityId === null) return;
  const key = keyOf(change.entity, change.entityId);
  const events =
    change.revision === null
      ? unique.filter(({ entity, entityId }) => entity === change.entity && entityId === change.entityId)
      : (byChange.get(`${key} ${change.revision}`) ?? []);
  for (const type of change.events) {
    const event = events.find((candidate) => candidate.type === type);
    if (!event)
      findings.lost.push(`${key}: ${change.operation} was acknowledged, but ${type} was not published`);
    else if (change.marker !== null && event.marker !== null && event.marker !== change.marker)
      findings.lost.push(
        `${key}: revision ${change.revision} wrote ${change.marker}, its event says ${event.marker}`,
      );
  }
}
