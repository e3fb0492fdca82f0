import type { Evidence, Findings } from './evidence';

/**
 * No event and no webhook of something that is not stored or was refused, and none twice with different
 * bytes. An erasure blanks an event in the outbox, also one that was published and not yet confirmed.
 */
export function compareMessages({ events, hooks, changes, stored }: Evidence, findings: Findings): void {
  const revisions = new Map<string, bigint>(
    [...stored.entities, ...stored.endpoints].map(({ key, revision }) => [key, BigInt(revision)]),
  );
  const refused = new Set(changes.filter(({ outcome }) => outcome === 'refused').map(({ marker }) => marker));
  const erased = new Set(events.filter(({ type }) => type === 'submission.erased').map(({ key }) => key));
  const digests = new Map<string, string>();
  const messages = [
    ...events.map((event) => ({ ...event, name: `event ${event.id}` })),
    ...hooks.map((hook) => ({ ...hook, name: `hook ${hook.id}` })),
  ];
  for (const { name, type, key, revision, marker, digest } of messages) {
    const message = `${name} (${type} of ${key} revision ${revision})`;
    const first = digests.get(name);
    if (first !== undefined) {
      if (first !== digest && !erased.has(key))
        findings.changedBytes.push(`${message} was repeated with other bytes`);
      continue;
    }
    digests.set(name, digest);
    const known = revisions.get(key);
    // Deleted data lists and erased submitters are not kept; only their events are left. Deliveries have none
    // but one at their end.
    if (known === undefined ? !/^(datalist|submitter|delivery)/.test(key) : BigInt(revision) > known)
      findings.phantom.push(`${message}: not stored`);
    if (marker !== null && refused.has(marker))
      findings.phantom.push(`${message} carries ${marker}, which was refused`);
  }
}
