import { Problem } from '@canvass/errors';
import type { KeyObject } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
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
   * The key with that id for that algorithm; without an id, the only key for it. Throws a 401 if the provider
   * does not have it, a 503 while that cannot be known.
   */
  get(keyId: string | undefined, algorithm: string): Promise<KeyObject>;
}

/**
 * The keys of a provider, cached in memory. A known key is returned at once, whatever its age, so tokens are
 * still verified while the provider is down. A successful fetch replaces the whole set, so a withdrawn key
 * stops working. At most one fetch runs at a time; `limits.ts` says when.
 */
export function createRemoteKeySet({ locate, fetch, now, onWarning }: RemoteKeySetOptions): RemoteKeySet {
  let keys: PublicKey[] = [];
  let beganAt = -Infinity; // of the newest fetch
  let loadedAt = -Infinity;
  let failures = 0;
  let notBefore = -Infinity; // no fetch before this time
  let unknownNotBefore = -Infinity; // no fetch for an unknown key before this time
  let running: Promise<void> | undefined;

  const load = async (): Promise<void> => {
    beganAt = now();
    try {
      keys = publicKeysOf(await fetchJson(fetch, await locate()));
      loadedAt = now();
      failures = 0;
    } catch (err) {
      notBefore = now() + Math.min(maxFailureCoolDownMs, failureCoolDownMs * 2 ** failures++);
      onWarning('failed to fetch the keys of an identity provider', {
        reason: err instanceof Error ? err.message : String(err),
        failures,
        keysAtHand: keys.length,
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

  /** Keys without an id stand for any id. */
  const candidates = (keyId: string | undefined): PublicKey[] => {
    if (keyId === undefined) return keys;
    const named = keys.filter(({ id }) => id === keyId);
    return named.length > 0 ? named : keys.filter(({ id }) => id === undefined);
  };

  /**
   * Loads the set, which may have a new key. One load a second serves all tokens with unknown keys that wait:
   * random ids neither flood the provider nor keep a new key out.
   */
  const look = async (keyId: string | undefined): Promise<void> => {
    const asked = now();
    if (running) await running;
    if (candidates(keyId).length > 0) return;
    if (now() < unknownNotBefore) await sleep(unknownNotBefore - now());
    if (candidates(keyId).length > 0 || beganAt > asked) return running;
    // Only a loaded set can be complete. Until then only the failure cool-down applies.
    if (loadedAt > -Infinity) unknownNotBefore = now() + unknownKeyCoolDownMs;
    await refresh();
  };

  return {
    async get(keyId, algorithm) {
      if (candidates(keyId).length === 0) await look(keyId);
      else if (now() - loadedAt > refreshAfterMs) void refresh();
      const found = candidates(keyId);
      if (found.length === 0 && failures > 0) throw keysUnavailable(Math.ceil((notBefore - now()) / 1000));
      const fitting = found.filter(({ fits }) => fits(algorithm));
      if (keyId === undefined && fitting.length > 1)
        throw invalidToken('The token names no key, and the issuer publishes several.');
      if (fitting.length > 0) return fitting[0]!.key;
      throw invalidToken(
        found.length > 0
          ? 'The key of the token is for another algorithm.'
          : 'The token is signed with a key that the issuer does not publish.',
      );
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
