import type { StoredEntity } from '../checker/stored';
import type { Change, Outcome } from '../records';
import { groupBy } from './events';
import type { Evidence, Findings } from './evidence';

/** Acknowledged changes are stored, refused ones have no effect, and nothing else is stored. */
export function compareStored({ changes, stored }: Evidence, findings: Findings): void {
  const sent = changes.filter(({ key, outcome }) => key !== null && outcome !== 'refused');
  const byEntity = groupBy(sent, ({ key }) => key ?? '');
  const entities = new Map<string, StoredEntity>(stored.entities.map((entity) => [entity.key, entity]));
  for (const [key, group] of byEntity) compareEntity(key, group, entities.get(key), findings);

  const refused = markersOf(changes, 'refused');
  const unknown = markersOf(changes, 'unknown');
  let uncertainLists = changes.filter(
    ({ entity, key, outcome }) => entity === 'datalist' && key === null && outcome === 'unknown',
  ).length;
  const holders = new Map<string, string>();
  for (const { key, marker } of stored.entities) {
    const isList = key.startsWith('datalist');
    // A marker is in one entity. Two entities with it come from one create that was sent twice.
    if (marker !== null && !isList) {
      const other = holders.get(marker);
      if (other) findings.phantom.push(`${key} and ${other} both hold ${marker}`);
      holders.set(marker, key);
    }
    if (marker !== null && refused.has(marker))
      findings.phantom.push(`${key} holds ${marker}, which was refused`);
    if (byEntity.has(key)) continue;
    const isExplained = isList ? uncertainLists-- > 0 : marker !== null && unknown.has(marker);
    if (!isExplained) findings.phantom.push(`${key} (${marker}) is stored, but no request created it`);
  }
}

function markersOf(changes: readonly Change[], outcome: Outcome): Set<string> {
  const markers = changes.filter((change) => change.outcome === outcome).map(({ marker }) => marker);
  return new Set(markers.filter((marker) => marker !== null));
}

function compareEntity(
  key: string,
  sent: readonly Change[],
  entity: StoredEntity | undefined,
  findings: Findings,
): void {
  const acknowledged = sent.filter(({ outcome }) => outcome === 'acknowledged');
  const unknown = sent.filter(({ outcome }) => outcome === 'unknown');
  const deletions = sent.filter(({ deletes }) => deletes);
  if (!entity) {
    // A deleted data list is not kept.
    const isDeletedList = key.startsWith('datalist') && deletions.length > 0;
    const operations = acknowledged.map(({ operation }) => operation).join(', ');
    if (acknowledged.length > 0 && !isDeletedList)
      findings.lost.push(`${key}: acknowledged (${operations}), but not stored`);
    return;
  }
  const revisions = acknowledged.map(({ revision }) => revision).filter((revision) => revision !== null);
  const distinct = new Set(revisions);
  if (distinct.size < revisions.length)
    findings.lost.push(`${key}: two acknowledged changes have the same revision (${revisions.join(', ')})`);
  const highest = revisions.map(BigInt).reduce((a, b) => (a > b ? a : b), 0n);
  const now = BigInt(entity.revision);
  if (now < highest)
    findings.lost.push(`${key}: revision ${highest} was acknowledged, revision ${now} is stored`);
  const possible = BigInt(distinct.size + (acknowledged.length - revisions.length) + unknown.length);
  // The tenant's settings exist before the first change.
  if (now > possible + (key.startsWith('tenant') ? 1n : 0n))
    findings.phantom.push(`${key}: revision ${now} is stored, but only ${possible} changes were sent`);
  compareMarker(key, acknowledged, unknown, entity, findings);
  if (deletions.some(({ outcome }) => outcome === 'acknowledged') && !entity.deleted)
    findings.lost.push(`${key}: its deletion was acknowledged, but it still exists`);
  if (entity.deleted && deletions.length === 0)
    findings.phantom.push(`${key} is deleted, but no request deleted it`);
}

function compareMarker(
  key: string,
  acknowledged: readonly Change[],
  unknown: readonly Change[],
  entity: StoredEntity,
  findings: Findings,
): void {
  const marked = acknowledged.filter(({ marker, revision }) => marker !== null && revision !== null);
  const [last] = marked.sort((a, b) => (BigInt(a.revision!) > BigInt(b.revision!) ? -1 : 1));
  if (!last || entity.marker === last.marker) return;
  if (unknown.some(({ marker }) => marker === entity.marker)) return;
  findings.lost.push(
    `${key}: revision ${last.revision} wrote ${last.marker}, but ${entity.marker} is stored`,
  );
}
