import { settingsNames } from '../checker/stored';
import type { ReceivedHook, SeenEvent } from '../records';
import type { Evidence, Findings } from './evidence';

export interface DeliveryCounts {
  expected: number;
  /** Not delivered because later settings no longer named the endpoint, or the submission was erased. */
  cancelled: number;
}

/** Every event reached every endpoint of the settings in force, and no other endpoint. */
export function compareDeliveries(
  evidence: Evidence,
  unique: readonly SeenEvent[],
  findings: Findings,
): DeliveryCounts {
  const { hooks, stored } = evidence;
  const accepted = new Set(hooks.filter(isAccepted).map(({ id, path }) => `${id} ${path}`));
  const erased = new Set(unique.filter(({ type }) => type === 'submission.erased').map(({ key }) => key));
  const versions = byScope(stored.versions);
  const counts = { expected: 0, cancelled: 0 };
  const expected = new Map<string, readonly ExpectedEndpoint[]>();
  for (const event of unique.filter(({ type }) => type in settingsNames)) {
    const endpoints = endpointsOf(event, versions, findings);
    expected.set(event.id, endpoints);
    for (const { id, paths, removed } of endpoints) {
      counts.expected += 1;
      if (paths.some((path) => accepted.has(`${event.id} ${path}`))) continue;
      const status = stored.deliveries.get(`${event.id} ${id}`) ?? 'nothing';
      if ((removed && status === 'cancelled') || erased.has(event.key)) counts.cancelled += 1;
      else
        findings.lost.push(
          `${describe(event)} was not delivered to ${paths.join(' or ')} (the relay says: ${status})`,
        );
    }
  }
  for (const { id, type, key, path } of hooks) {
    const endpoints = expected.get(id);
    if (endpoints && !endpoints.some(({ paths }) => paths.includes(path)))
      findings.phantom.push(`hook ${id} (${type} of ${key}) was sent to ${path}, which should not get it`);
  }
  return counts;
}

export const isAccepted = ({ answered }: ReceivedHook): boolean => answered === 200;

const describe = ({ id, type, key, revision }: SeenEvent): string =>
  `event ${id} (${type} of ${key} revision ${revision})`;

/** An endpoint that an event must reach. */
interface ExpectedEndpoint {
  id: string;
  /** Its address at the time of the event, and later ones: an attempt goes to the address of its time. */
  paths: string[];
  /**
   * A later version of the settings does not name it for this event, so that a waiting delivery is cancelled.
   */
  removed: boolean;
}

function endpointsOf(event: SeenEvent, versions: VersionsByScope, findings: Findings): ExpectedEndpoint[] {
  if (event.settings === null) return [];
  const { scope, scopeId, version } = event.settings;
  const named = versions.get(`${scope}/${scopeId}`)?.find(({ id }) => id === BigInt(version));
  if (!named) {
    findings.lost.push(`${describe(event)} names settings that do not exist`);
    return [];
  }
  const enabled = (named.settings[event.type] ?? []).filter(({ isEnabled }) => isEnabled);
  const expected = enabled.map(({ id, path }) => ({ id, paths: [path], removed: false }));
  for (const { id: later, settings: next } of versions.get(`${scope}/${scopeId}`) ?? []) {
    if (later <= BigInt(version)) continue;
    for (const endpoint of expected) {
      const path = next[event.type]?.find(({ id }) => id === endpoint.id)?.path;
      if (path === undefined) endpoint.removed = true;
      else if (!endpoint.paths.includes(path)) endpoint.paths.push(path);
    }
  }
  return expected;
}

type Versions = Evidence['stored']['versions'];
type VersionsByScope = Map<string, { id: bigint; settings: ReturnType<Versions['get']> & object }[]>;

/** The versions of each scope (`<scope>/<scope id>`), oldest first. */
function byScope(versions: Versions): VersionsByScope {
  const scopes: VersionsByScope = new Map();
  for (const [key, settings] of versions) {
    const end = key.lastIndexOf('/');
    const known = scopes.get(key.slice(0, end)) ?? [];
    known.push({ id: BigInt(key.slice(end + 1)), settings });
    scopes.set(key.slice(0, end), known);
  }
  for (const known of scopes.values()) known.sort((a, b) => (a.id < b.id ? -1 : 1));
  return scopes;
}
