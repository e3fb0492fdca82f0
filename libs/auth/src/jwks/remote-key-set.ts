import { Problem } from '@canvass/errors';
import { invalidToken } from '../challenge';
import { fetchJson, type Fetch } from './fetch-json';
import { failureCoolDownMs, maxFailureCoolDownMs, refreshAfterMs, unknownKeyCoolDownMs } from './limits';
import { publicKeysOf, type PublicKey } from './public-keys';

export interface RemoteKeySetOptions {
  /** Where the keys are; asked at each fetch, so that a provider may move them. */
  locate: () => Promise<string>;
  fetch: Fetch;
  now: () => number;
  onWarning: (message: string, details: Record<string, unknown>) => void;
}

export interface RemoteKeySet {
  /** The key of that id. A 401 if the provider has none, a 503 while the provider cannot be asked. */
  get(keyId: string): Promise<PublicKey>;
}

/**
 * A provider's keys, kept in memory. A known key is answered without waiting, however old: while the provider is down,
 * tokens go on being verified. A fetch that succeeds replaces the whole set, so that a withdrawn key stops working.
 * At most one fetch runs at a time; see limits.ts for when one is made.
 */
export function createRemoteKeySet({ locate, fetch, now, onWarning }: RemoteKeySetOptions): RemoteKeySet {
  let keys = new Map<string, PublicKey>();
  let loadedAt = -Infinity;
  let failures = 0;
  let notBefore = -Infinity; // no fetch at all before this time
  let unknownNotBefore = -Infinity; // no fetch for the sake of an unknown key before this time
  let running: Promise<void> | undefined;

  const load = async (): Promise<void> => {
    try {
      keys = publicKeysOf(await fetchJson(fetch, await locate()));
      loadedAt = now();
      failures = 0;
    } catch (err) {
      notBefore = now() + Math.min(maxFailureCoolDownMs, failureCoolDownMs * 2 ** failures++);
      onWarning('the keys of an identity provider could not be fetched', {
        reason: err instanceof Error ? err.message : String(err),
        failures,
        keysAtHand: keys.size,
      });
    }
  };

  /** Resolves when the running or a new fetch has ended, well or badly; at once during the cool-down. */
  const refresh = (): Promise<void> => {
    if (!running && now() >= notBefore) running = load().finally(() => (running = undefined));
    return running ?? Promise.resolve();
  };

  return {
    async get(keyId) {
      const known = keys.get(keyId);
      if (known) {
        if (now() - loadedAt > refreshAfterMs) void refresh();
        return known;
      }
      if (running) await running;
      if (!keys.has(keyId) && now() >= unknownNotBefore) {
        // Only a set that was loaded can be complete; until then only the failure cool-down counts.
        if (loadedAt > -Infinity) unknownNotBefore = now() + unknownKeyCoolDownMs;
        await refresh();
      }
      const key = keys.get(keyId);
      if (key) return key;
      if (failures > 0) throw keysUnavailable(Math.ceil((notBefore - now()) / 1000));
      throw invalidToken('The token is signed with a key that the issuer does not publish.');
    },
  };
}

/** Not a 401: the token may be good, and a client that is told otherwise would log its user out. */
function keysUnavailable(seconds: number): Problem {
  return new Problem('service_unavailable', {
    detail: 'The keys of the identity provider cannot be fetched at the moment.',
    headers: { 'Retry-After': String(Math.max(1, seconds)) },
  });
}
