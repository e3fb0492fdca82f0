import { settingsNames } from '../checker/stored';
import { keyOf, type ReceivedHook, type SeenEvent } from '../records';
import { entityOf } from './messages';
import { SettingsTimeline } from './settings-timeline';
import type { Evidence, Findings } from './evidence';

export interface DeliveryCounts {
  expectedDeliveries: number;
  /** Not delivered because later settings no longer named the endpoint. */
  cancelledDeliveries: number;
}

/** Every event reached every endpoint of the settings in force, and no other endpoint. */
export function compareDeliveries(
  evidence: Evidence,
  unique: readonly SeenEvent[],
  findings: Findings,
): DeliveryCounts {
  const { hooks, stored } = evidence;
  const accepted = new Set(hooks.filter(isAccepted).map(({ hookId, path }) => `${hookId} ${path}`));
  let [expectedDeliveries, cancelledDeliveries] = [0, 0];
  const expected = new Map<string, readonly ExpectedEndpoint[]>();
  for (const event of unique.filter(({ type }) => type in settingsNames)) {
    const endpoints = endpointsOf(event, stored.versions, findings);
    expected.set(event.id, endpoints);
    for (const { id, paths, removed } of endpoints) {
      expectedDeliveries += 1;
      if (paths.some((path) => accepted.has(`${event.id} ${path}`))) continue;
      const status = stored.deliveries.get(`${event.id} ${id}`) ?? 'nothing';
      if (removed && status === 'cancelled') cancelledDeliveries += 1;
      else
        findings.lost.push(
          `${describe(event)} was not delivered to ${paths.join(' or ')} (the relay says: ${status})`,
        );
    }
  }
  compareSettings(evidence, unique, expected, findings);
  for (const hook of hooks) {
    const endpoints = expected.get(hook.hookId);
    if (endpoints && !endpoints.some(({ paths }) => paths.includes(hook.path))) {
      const what = `hook ${hook.hookId} (${hook.event} of ${keyOf(entityOf(hook), hook.entityId)})`;
      findings.phantom.push(`${what} was sent to ${hook.path}, which should not get it`);
    }
  }
  return { expectedDeliveries, cancelledDeliveries };
}

export const isAccepted = ({ answered }: ReceivedHook): boolean => answered === 200;

const describe = ({ id, type, entity, entityId, revision }: SeenEvent): string =>
  `event ${id} (${type} of ${keyOf(entity, entityId)} revision ${revision})`;

/** An endpoint that an event must reach. */
interface ExpectedEndpoint {
  id: string;
  /** Its address at the time of the event, and later ones: an attempt goes to the address of its time. */
  paths: string[];
  /** A later version of the settings does not name it for this event, so that a waiting delivery is cancelled. */
  removed: boolean;
}

function endpointsOf(
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
  const enabled = (settings[event.type] ?? []).filter(({ isEnabled }) => isEnabled);
  const expected = enabled.map(({ id, path }) => ({ id, paths: [path], removed: false }));
  for (let later = BigInt(version) + 1n; ; later++) {
    const next = versions.get(`${scope}/${scopeId}/${later}`);
    if (!next) return expected;
    for (const endpoint of expected) {
      const path = next[event.type]?.find(({ id }) => id === endpoint.id)?.path;
      if (path === undefined) endpoint.removed = true;
      else if (!endpoint.paths.includes(path)) endpoint.paths.push(path);
    }
  }
}

/** The settings that an event names are those that the checker saved. */
function compareSettings(
  { changes }: Evidence,
  unique: readonly SeenEvent[],
  expected: Map<string, readonly ExpectedEndpoint[]>,
  findings: Findings,
): void {
  const timeline = new SettingsTimeline(changes);
  const acknowledged = changes.filter(
    ({ outcome, entityId, revision }) => outcome === 'acknowledged' && entityId !== null && revision !== null,
  );
  const byRevision = new Map(
    acknowledged.map((change) => [`${keyOf(change.entity, change.entityId!)} ${change.revision}`, change]),
  );
  for (const event of unique) {
    const endpoints = expected.get(event.id);
    const change = byRevision.get(`${keyOf(event.entity, event.entityId)} ${event.revision}`);
    if (!endpoints || !change || event.formId === null) continue;
    const allowed = timeline.candidates(event.formId, event.type, change.sentAt, change.doneAt);
    const firstPaths = endpoints.map(({ paths: [first] }) => first).sort();
    const got = firstPaths.join(' ');
    if (!allowed.has(got))
      findings.lost.push(
        `${describe(event)} used settings for "${got}", in force were "${[...allowed].join('" or "')}"`,
      );
  }
}
