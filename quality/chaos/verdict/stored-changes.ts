import type { Change, StoredEntity } from '../records';
import { keyOf, type Evidence, type Findings } from './verdict';

/** Acknowledged = stored; refused = no trace; nothing stored that nobody sent. */
export function compareStored({ changes, stored }: Evidence, findings: Findings): { unknownStored: number } {
  const byEntity = new Map<string, Change[]>();
  for (const change of changes) {
    if (change.entityId === null || change.outcome === 'refused') continue;
    const key = keyOf(change.entity, change.entityId);
    byEntity.set(key, [...(byEntity.get(key) ?? []), change]);
  }
  const entities = new Map(stored.entities.map((entity) => [keyOf(entity.entity, entity.id), entity]));
  for (const [key, made] of byEntity) compareEntity(key, made, entities.get(key), findings);

  const refused = markersOf(changes, 'refused');
  const lostAnswers = markersOf(changes, 'unknown');
  let listsInDoubt = changes.filter(
    (change) => change.entity === 'datalist' && change.entityId === null && change.outcome === 'unknown',
  ).length;
  let unknownStored = 0;
  const holders = new Map<string, string>();
  for (const [key, entity] of entities) {
    // A change's marker is in one entity: two of them were made by one create that was sent twice.
    if (entity.marker !== null && entity.entity !== 'datalist') {
      const other = holders.get(entity.marker);
      if (other) findings.phantom.push(`${key} and ${other} both hold ${entity.marker}`);
      holders.set(entity.marker, key);
    }
    if (entity.marker !== null && refused.has(entity.marker))
      findings.phantom.push(`${key} holds ${entity.marker}, which was refused`);
    if (entity.marker !== null && lostAnswers.has(entity.marker)) unknownStored += 1;
    if (byEntity.has(key)) continue;
    const explained =
      entity.entity === 'datalist'
        ? listsInDoubt-- > 0
        : entity.marker !== null && lostAnswers.has(entity.marker);
    if (!explained) findings.phantom.push(`${key} (${entity.marker}) is stored, but no request made it`);
  }
  return { unknownStored };
}

function markersOf(changes: readonly Change[], outcome: Change['outcome']): Set<string> {
  const of = changes.filter((change) => change.outcome === outcome);
  return new Set(of.map(({ marker }) => marker).filter((marker) => marker !== null));
}

function compareEntity(
  key: string,
  made: Change[],
  entity: StoredEntity | undefined,
  findings: Findings,
): void {
  const acknowledged = made.filter(({ outcome }) => outcome === 'acknowledged');
  const unknown = made.filter(({ outcome }) => outcome === 'unknown');
  const deletedByUs = made.filter(({ deletes }) => deletes);
  if (!entity) {
    // Data lists are deleted for good.
    const gone = made[0]?.entity === 'datalist' && deletedByUs.length > 0;
    if (acknowledged.length > 0 && !gone)
      findings.lost.push(`${key}: acknowledged (${operationsOf(acknowledged)}), but not stored`);
    return;
  }
  const revisions = acknowledged.map(({ revision }) => revision).filter((revision) => revision !== null);
  const distinct = new Set(revisions);
  if (distinct.size < revisions.length)
    findings.lost.push(`${key}: two acknowledged changes have the same revision (${revisions.join(', ')})`);
  const highest = revisions.map(BigInt).reduce((a, b) => (a > b ? a : b), 0n);
  const now = BigInt(entity.revision);
  if (now < highest)
    findings.lost.push(`${key}: revision ${highest} was acknowledged, revision ${entity.revision} is stored`);
  const possible = BigInt(distinct.size + (acknowledged.length - revisions.length) + unknown.length);
  // The tenant's record is there before its first change.
  if (now > possible + (entity.entity === 'tenant' ? 1n : 0n))
    findings.phantom.push(
      `${key}: revision ${entity.revision} is stored, but only ${possible} changes were sent`,
    );
  compareMarker(key, acknowledged, unknown, entity, findings);
  if (entity.marker !== null && acknowledged.some(({ erases }) => erases))
    findings.lost.push(`${key}: its erasure was acknowledged, but it holds ${entity.marker}`);
  if (deletedByUs.some(({ outcome }) => outcome === 'acknowledged') && !entity.deleted)
    findings.lost.push(`${key}: its deletion was acknowledged, but it is there`);
  if (entity.deleted && deletedByUs.length === 0)
    findings.phantom.push(`${key} is deleted, but nobody asked for that`);
}

function compareMarker(
  key: string,
  acknowledged: Change[],
  unknown: Change[],
  entity: StoredEntity,
  findings: Findings,
): void {
  const marked = acknowledged.filter(({ marker, revision }) => marker !== null && revision !== null);
  const last = marked.reduce<Change | null>(
    (latest, change) => (latest && BigInt(latest.revision!) > BigInt(change.revision!) ? latest : change),
    null,
  );
  if (!last || entity.marker === last.marker) return;
  if (unknown.some(({ marker }) => marker === entity.marker)) return;
  if (entity.marker === null && [...acknowledged, ...unknown].some(({ erases }) => erases)) return;
  findings.lost.push(
    `${key}: revision ${last.revision} wrote ${last.marker}, but ${entity.marker} is stored`,
  );
}

const operationsOf = (changes: Change[]): string => changes.map(({ operation }) => operation).join(', ');
