import type { Change, ReceivedHook, SeenEvent } from '../records';
import { isWebhookEvent, SettingsTimeline } from './settings-timeline';
import { keyOf, type Evidence, type Findings } from './verdict';

export interface DeliveryCounts {
  expected: number;
  cancelled: number;
}

/** Every event reached every endpoint of the settings in force, nothing else did, and always with the same bytes. */
export function compareDeliveries(
  evidence: Evidence,
  unique: SeenEvent[],
  findings: Findings,
): DeliveryCounts {
  const { hooks, stored, changes } = evidence;
  const accepted = new Set(hooks.filter(isAccepted).map(({ hookId, path }) => `${hookId} ${path}`));
  const counts = { expected: 0, cancelled: 0 };
  const expectedOf = new Map<string, readonly ExpectedEndpoint[]>();
  for (const event of unique.filter(({ type }) => isWebhookEvent(type))) {
    const endpoints = expectedEndpoints(event, stored.versions, findings);
    expectedOf.set(event.id, endpoints);
    for (const { id, paths, removed } of endpoints) {
      counts.expected += 1;
      if (paths.some((path) => accepted.has(`${event.id} ${path}`))) continue;
      const status = stored.deliveries.get(`${event.id} ${id}`);
      if (removed && status === 'cancelled') counts.cancelled += 1;
      else
        findings.lost.push(
          `${describe(event)} was not delivered to ${paths.join(' or ')} (the relay says: ${status ?? 'nothing'})`,
        );
    }
  }
  compareSettings(changes, unique, expectedOf, findings);
  findPhantoms(evidence, expectedOf, findings);
  compareBytes(hooks, findings);
  return counts;
}

export const isAccepted = ({ answered }: ReceivedHook): boolean => answered === 200;

const describe = ({ id, type, entity, entityId, revision }: SeenEvent): string =>
  `event ${id} (${type} of ${keyOf(entity, entityId)} revision ${revision})`;

/** An endpoint that an event must reach. */
interface ExpectedEndpoint {
  id: string;
  /** Its address when the event happened, and those it got later: a delivery goes to the one of its moment. */
  paths: string[];
  /** A later version does not name it for this event: what waited when the relay learnt of that version was ended. */
  removed: boolean;
}

function expectedEndpoints(
  event: SeenEvent,
  versions: Evidence['stored']['versions'],
  findings: Findings,
): ExpectedEndpoint[] {
  if (event.settings === null) return [];
  const { scope, scopeId, version } = event.settings;
  const settings = versions.get(`${scope}/${scopeId}/${version}`);
  if (!settings) {
    findings.lost.push(`${describe(event)} names settings that do not exist`);
    return [];
  }
  return (settings[event.type] ?? [])
    .filter(({ isEnabled }) => isEnabled)
    .map(({ id, path }) => {
      const paths = [path];
      let removed = false;
      for (let later = BigInt(version) + 1n; ; later++) {
        const next = versions.get(`${scope}/${scopeId}/${later}`);
        if (!next) return { id, paths, removed };
        const there = next[event.type]?.find((endpoint) => endpoint.id === id);
        if (!there) removed = true;
        else if (!paths.includes(there.path)) paths.push(there.path);
      }
    });
}

/** The settings that an event names are those the checker had saved. */
function compareSettings(
  changes: readonly Change[],
  unique: SeenEvent[],
  expectedOf: Map<string, readonly ExpectedEndpoint[]>,
  findings: Findings,
): void {
  const tenantId = changes.find(({ entity }) => entity === 'tenant')?.entityId ?? '';
  const timeline = new SettingsTimeline(changes, tenantId);
  const made = new Map(
    changes
      .filter(
        ({ outcome, entityId, revision }) =>
          outcome === 'acknowledged' && entityId !== null && revision !== null,
      )
      .map((change) => [`${keyOf(change.entity, change.entityId!)} ${change.revision}`, change]),
  );
  for (const event of unique) {
    const endpoints = expectedOf.get(event.id);
    const change = made.get(`${keyOf(event.entity, event.entityId)} ${event.revision}`);
    if (!endpoints || !change || event.formId === null) continue;
    const allowed = timeline.candidates(event.formId, event.type, change.sentAt, change.doneAt);
    const got = endpoints
      .map(({ paths: [first] }) => first)
      .sort()
      .join(' ');
    if (!allowed.has(got))
      findings.lost.push(
        `${describe(event)} went by settings for "${got}", in force were "${[...allowed].join('" or "')}"`,
      );
  }
}

function findPhantoms(
  { hooks, stored, changes }: Evidence,
  expectedOf: Map<string, readonly ExpectedEndpoint[]>,
  findings: Findings,
): void {
  const revisions = new Map(
    stored.entities.map(({ entity, id, revision }) => [keyOf(entity, id), BigInt(revision)]),
  );
  const refused = new Set(changes.filter(({ outcome }) => outcome === 'refused').map(({ marker }) => marker));
  for (const { hookId, path, event, entityId, revision, marker } of hooks) {
    const entity = keyOf(event.startsWith('form_') ? 'form' : 'submission', entityId);
    const known = revisions.get(entity);
    const hook = `hook ${hookId} (${event} of ${entity} revision ${revision})`;
    if (known === undefined || BigInt(revision) > known) findings.phantom.push(`${hook}: not stored`);
    if (marker !== null && refused.has(marker))
      findings.phantom.push(`${hook} carries ${marker}, which was refused`);
    const expected = expectedOf.get(hookId);
    if (expected && !expected.some(({ paths }) => paths.includes(path)))
      findings.phantom.push(`${hook} was sent to ${path}, which should not get it`);
  }
}

function compareBytes(hooks: readonly ReceivedHook[], findings: Findings): void {
  const digests = new Map<string, string>();
  for (const { hookId, digest, event } of hooks) {
    const first = digests.get(hookId) ?? digest;
    digests.set(hookId, first);
    if (first !== digest) findings.changedBytes.push(`hook ${hookId} (${event}) came again with other bytes`);
  }
}
