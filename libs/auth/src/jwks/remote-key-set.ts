import { Problem } from '@canvass/errors';
import { invalidToken } from '../challenge';
import { fetchJson, type Fetch } from './fetch-json';
import { failureCoolDownMs, maxFailureCoolDownMs, refreshAfterMs, unknownKeyCoolDownMs } from './limits';
import { publicKeysOf, type PublicKey } from './public-keys';

export interface RemoteKeySetOptions {
  /** Returns the address of the key set. Called at each fetch, so that a provider may move it. */
  locate: () => Promise<string>;
  fetch: Fetch;
  now: () => number;
  onWarning: (message: string, details: Record<string, unknown>) => void;
}

export interface RemoteKeySet {
  /**
   * The key with that id. Throws a 401 if the provider does not have it, a 503 while the provider is
   * unavailable.
   */
  get(keyId: string): Promise<PublicKey>;
}

/**
 * The keys of a provider, cached in memory. A known key is returned at once, whatever its age, so tokens are
 * still verified while the provider is down. A successful fetch replaces the whole set, so a withdrawn key
 * stops working. At most one fetch runs at a time; `limits.ts` says when.
 */
export function createRemoteKeySet({ locate, fetch, now, onWarning }: RemoteKeySetOptions): RemoteKeySet {
  let keys = new Map<string, PublicKey>();
  let loadedAt = -Infinity;
  let failures = 0;
  let notBefore = -Infinity; // no fetch before this time
  let unknownNotBefore = -Infinity; // no fetch for an unknown key before this time
  let running: Promise<void> | undefined;

  const load = async (): Promise<void> => {
    try {
      keys = publicKeysOf(await fetchJson(fetch, await locate()));
      loadedAt = now();
      failures = 0;
    } catch (err) {
      notBefore = now() + Math.min(maxFailureCoolDownMs, failureCoolDownMs * 2 ** failures++);
      onWarning('failed to fetch the keys of an identity provider', {
        reason: err instanceof Error ? err.message : String(err),
        failures,
        keysAtHand: keys.size,
      });
    }
  };

  /**
   * Waits for the running fetch or starts one; succeeds or fails silently. Does nothing during the cool-down.
   */
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
        // Only a loaded set can be complete. Until then only the failure cool-down applies.
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

/** A problem that is not a 401: the token may be valid, and after a 401 a client would log its user out. */
function keysUnavailable(seconds: number): Problem {
  return new Problem('service_unavailable', {
    detail: 'The keys of the identity provider are temporarily unavailable.',
    headers: { 'Retry-After': String(Math.max(1, seconds)) },
  });
}
