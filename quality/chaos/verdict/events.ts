import type { Change, SeenEvent } from '../records';
import type { Evidence, Findings } from './evidence';

/**
 * Every revision has its event, and every acknowledged change its events. The events of an entity first arrive
 * in their order. An event may be repeated.
 */
export function compareEvents(
  evidence: Evidence,
  findings: Findings,
): { repeated: number; unique: SeenEvent[] } {
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
  for (const [key, group] of byEntity) compareOrder(key, group, findings);
  findGaps(evidence, byRevision, findings);
  for (const key of evidence.stored.dead)
    if (!byEntity.has(key)) findings.lost.push(`${key} is dead, but webhook.delivery_dead was not published`);
  for (const change of evidence.changes) {
    const { outcome, key, revision } = change;
    if (outcome !== 'acknowledged' || key === null) continue;
    compareChange(
      change,
      (revision === null ? byEntity.get(key) : byRevision.get(`${key} ${revision}`)) ?? [],
      findings,
    );
  }
  return { repeated: evidence.events.length - unique.length, unique };
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

/** Ids of events grow with the changes of an entity. @param events in the order in which they first arrived */
function compareOrder(key: string, events: readonly SeenEvent[], findings: Findings): void {
  events.slice(1).forEach((event, at) => {
    const before = events[at]!;
    if (BigInt(event.id) < BigInt(before.id))
      findings.order.push(
        `${key}: ${event.type} of revision ${event.revision} came after ${before.type} of revision ${before.revision}`,
      );
  });
}

function findGaps(
  { stored, changes }: Evidence,
  byRevision: Map<string, SeenEvent[]>,
  findings: Findings,
): void {
  const highest = new Map<string, bigint>();
  for (const { key, revision } of [...stored.entities, ...stored.endpoints, ...changes]) {
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

/** Published instead where an endpoint asks for the change. */
const asked: Readonly<Partial<Record<string, readonly string[]>>> = {
  'submission.created': ['submission.saved'],
  'submission.updated': ['submission.saved', 'submission.status_changed'],
};

function compareChange(change: Change, published: readonly SeenEvent[], findings: Findings): void {
  const { key, events, operation, marker, revision } = change;
  for (const type of events) {
    const event = published.find(
      (candidate) => candidate.type === type || asked[type]?.includes(candidate.type),
    );
    if (!event) findings.lost.push(`${key}: ${operation} was acknowledged, but ${type} was not published`);
    else if (marker !== null && event.marker !== null && event.marker !== marker)
      findings.lost.push(`${key}: revision ${revision} wrote ${marker}, its event says ${event.marker}`);
  }
}

/**
 * No event and no webhook of something that is not stored or was refused, and none twice with different
 * bytes.
 */
export function compareMessages({ events, hooks, changes, stored }: Evidence, findings: Findings): void {
  const revisions = new Map<string, bigint>(
    [...stored.entities, ...stored.endpoints].map(({ key, revision }) => [key, BigInt(revision)]),
  );
  const refused = new Set(changes.filter(({ outcome }) => outcome === 'refused').map(({ marker }) => marker));
  const digests = new Map<string, string>();
  const messages = [
    ...events.map((event) => ({ ...event, name: `event ${event.id}` })),
    ...hooks.map((hook) => ({ ...hook, name: `hook ${hook.id}` })),
  ];
  for (const { name, type, key, revision, marker, digest } of messages) {
    const message = `${name} (${type} of ${key} revision ${revision})`;
    const first = digests.get(name);
    if (first !== undefined) {
      if (first !== digest) findings.changedBytes.push(`${message} was repeated with other bytes`);
      continue;
    }
    digests.set(name, digest);
    const known = revisions.get(key);
    // Of deleted data lists only their events are left. Deliveries have none but one at their end.
    if (known === undefined ? !/^(datalist|delivery)/.test(key) : BigInt(revision) > known)
      findings.phantom.push(`${message}: not stored`);
    if (marker !== null && refused.has(marker))
      findings.phantom.push(`${message} carries ${marker}, which was refused`);
  }
}
