import { settingsNames } from '../checker/stored';
import type { ReceivedHook, SeenEvent } from '../records';
import type { Evidence, Findings } from './evidence';

/** Every event reached every endpoint of the settings in force, and no other endpoint. Returns how many it had to reach. */
export function compareDeliveries(
  evidence: Evidence,
  unique: readonly SeenEvent[],
  findings: Findings,
): number {
  const { hooks, stored } = evidence;
  const accepted = new Set(hooks.filter(isAccepted).map(({ id, path }) => `${id} ${path}`));
  const versions = byScope(stored.versions);
  let count = 0;
  const expected = new Map<string, readonly ExpectedEndpoint[]>();
  for (const event of unique.filter(({ type }) => type in settingsNames)) {
    const endpoints = endpointsOf(event, versions, findings);
    expected.set(event.id, endpoints);
    for (const { id, path, removed } of endpoints) {
      count += 1;
      if (accepted.has(`${event.id} ${path}`)) continue;
      const status = stored.deliveries.get(`${event.id} ${id}`) ?? 'nothing';
      if (removed && status === 'cancelled') continue;
      findings.lost.push(`${describe(event)} was not delivered to ${path} (the relay says: ${status})`);
    }
  }
  for (const { id, type, key, path } of hooks) {
    const endpoints = expected.get(id);
    if (endpoints && !endpoints.some((endpoint) => endpoint.path === path))
      findings.phantom.push(`hook ${id} (${type} of ${key}) was sent to ${path}, which should not get it`);
  }
  return count;
}

export const isAccepted = ({ answered }: ReceivedHook): boolean => answered === 200;

const describe = ({ id, type, key, revision }: SeenEvent): string =>
  `event ${id} (${type} of ${key} revision ${revision})`;

/** An endpoint that an event must reach. */
interface ExpectedEndpoint {
  id: string;
  path: string;
  /**
   * A later version of the settings does not name it for this event, so that a waiting delivery is cancelled.
   */
  removed: boolean;
}

function endpointsOf(event: SeenEvent, versions: VersionsByScope, findings: Findings): ExpectedEndpoint[] {
  if (event.settings === null) return [];
  const { scope, scopeId, version } = event.settings;
  const all = versions.get(`${scope}/${scopeId}`) ?? [];
  const named = all.find(({ id }) => id === BigInt(version));
  if (!named) {
    findings.lost.push(`${describe(event)} names settings that do not exist`);
    return [];
  }
  const later = all.filter(({ id }) => id > BigInt(version));
  const isRemoved = (wanted: string) =>
    later.some(({ settings }) => !settings[event.type]?.some(({ id }) => id === wanted));
  const enabled = (named.settings[event.type] ?? []).filter(({ isEnabled }) => isEnabled);
  return enabled.map(({ id, path }) => ({ id, path, removed: isRemoved(id) }));
}

type Versions = Evidence['stored']['versions'];
type VersionsByScope = Map<string, { id: bigint; settings: ReturnType<Versions['get']> & object }[]>;

/** The versions of each scope (`<scope>/<scope id>`). */
function byScope(versions: Versions): VersionsByScope {
  const scopes: VersionsByScope = new Map();
  for (const [key, settings] of versions) {
    const end = key.lastIndexOf('/');
    const known = scopes.get(key.slice(0, end)) ?? [];
    known.push({ id: BigInt(key.slice(end + 1)), settings });
    scopes.set(key.slice(0, end), known);
  }
  return scopes;
}
