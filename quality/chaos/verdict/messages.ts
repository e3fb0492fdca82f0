import { keyOf } from '../records';
import type { Evidence, Findings } from './evidence';

/** No event and no webhook of something that is not stored or was refused, and none twice with different bytes. */
export function compareMessages({ events, hooks, changes, stored }: Evidence, findings: Findings): void {
  const revisions = new Map(
    stored.entities.map(({ entity, id, revision }) => [keyOf(entity, id), BigInt(revision)]),
  );
  const refused = new Set(changes.filter(({ outcome }) => outcome === 'refused').map(({ marker }) => marker));
  const digests = new Map<string, string>();
  const messages = [
    ...events.map((event) => ({ ...event, what: 'event' })),
    ...hooks.map((hook) => ({
      ...hook,
      what: 'hook',
      id: hook.hookId,
      type: hook.event,
      entity: entityOf(hook),
    })),
  ];
  for (const { what, id, type, entity, entityId, revision, marker, digest } of messages) {
    const message = `${what} ${id} (${type} of ${keyOf(entity, entityId)} revision ${revision})`;
    const first = digests.get(`${what} ${id}`);
    if (first !== undefined) {
      if (first !== digest) findings.changedBytes.push(`${message} was repeated with other bytes`);
      continue;
    }
    digests.set(`${what} ${id}`, digest);
    const known = revisions.get(keyOf(entity, entityId));
    // A deleted data list is not kept; only its events are left.
    if (known === undefined ? entity !== 'datalist' : BigInt(revision) > known)
      findings.phantom.push(`${message}: not stored`);
    if (marker !== null && refused.has(marker))
      findings.phantom.push(`${message} carries ${marker}, which was refused`);
  }
}

/** Returns the type of entity that a webhook is about. */
export const entityOf = ({ event }: { event: string }): 'form' | 'submission' =>
  event.startsWith('form_') ? 'form' : 'submission';
