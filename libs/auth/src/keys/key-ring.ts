import { every } from '@canvass/async';
import { createPrivateKey, randomUUID, type JsonWebKey, type KeyObject } from 'node:crypto';
import { sign } from 'jsonwebtoken';
import { keyExpires, nextKeyBegins, signingKey, type RotationTimes } from './rotation';
import { newSigningKey, type KeyStore, type StoredKey } from './stored-key';

export interface KeyRingOptions extends RotationTimes {
  /** The interval of looking in the store for keys of other replicas and a due rotation; 60 s by default. */
  refreshSeconds?: number;
  now?: () => number;
  onWarning?: (message: string, details: Record<string, unknown>) => void;
}

export interface TokenOptions {
  expiresInSeconds: number;
  audience: string;
  issuer: string;
  subject?: string;
}

export interface KeyRing {
  /**
   * Loads the keys, creates the first if the store is empty, and starts rotating. Rejects if the store cannot
   * be read.
   */
  start(): Promise<void>;
  /** Signs a token (RS256) with the current key and adds `kid`, `iat`, `exp` and a random `jti`. */
  sign(claims: Record<string, unknown>, options: TokenOptions): string;
  /** The public keys to publish, including future keys and keys of unexpired tokens. */
  jwks(): { keys: JsonWebKey[] };
  /** Reads the store and rotates if due. A timer calls it, too. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

type LoadedKey = StoredKey & { privateKey: KeyObject };

/**
 * Signing keys that rotate without a failed request: a key is published `overlapHours` before it signs and
 * stays published `overlapHours` after it stopped. The replicas of a service share the store; its lock lets
 * one of them rotate.
 */
export function createKeyRing(store: KeyStore, options: KeyRingOptions): KeyRing {
  const { refreshSeconds = 60, now = Date.now, onWarning = () => undefined } = options;
  let keys: LoadedKey[] = [];

  const read = async (from: KeyStore): Promise<void> => {
    const known = new Map(keys.map((key) => [key.kid, key.privateKey]));
    keys = (await from.load()).map((key) => ({
      ...key,
      privateKey: known.get(key.kid) ?? createPrivateKey(key.privateKeyPem),
    }));
  };

  const refresh = async (): Promise<void> => {
    await read(store);
    if (nextKeyBegins(keys, options, now()) === undefined) return;
    await store.lock(async (locked = store) => {
      await read(locked); // another replica may have rotated meanwhile
      const begins = nextKeyBegins(keys, options, now());
      if (begins === undefined) return;
      await locked.insert(await newSigningKey(new Date(begins), new Date(keyExpires(begins, options))));
      await locked.deleteExpired(new Date(now()));
    });
    await read(store); // only committed keys may sign
  };

  const refreshing = every(refreshSeconds * 1000, refresh, {
    onError: (error) =>
      onWarning('failed to refresh the signing keys; the cached keys stay in use', {
        reason: error instanceof Error ? error.message : String(error),
      }),
  });

  return {
    refresh,
    async start() {
      await refresh();
      refreshing.start();
    },
    stop: () => refreshing.stop(),
    sign(claims, { expiresInSeconds, audience, issuer, subject }) {
      const key = signingKey(keys, now());
      if (!key) throw new Error('there is no signing key; the key ring was not started');
      const iat = Math.floor(now() / 1000);
      return sign({ ...claims, iat, exp: iat + expiresInSeconds }, key.privateKey, {
        algorithm: 'RS256',
        keyid: key.kid,
        jwtid: randomUUID(),
        audience,
        issuer,
        ...(subject === undefined ? {} : { subject }),
      });
    },
    jwks: () => ({
      keys: keys.filter((key) => key.expiresAt.getTime() > now()).map((key) => key.publicJwk),
    }),
  };
}
