import { createPrivateKey, randomUUID, type JsonWebKey, type KeyObject } from 'node:crypto';
import { sign } from 'jsonwebtoken';
import { keyExpires, nextKeyBegins, signingKey, type RotationTimes } from './rotation';
import { newSigningKey, type KeyStore, type StoredKey } from './stored-key';

export interface KeyRingOptions extends RotationTimes {
  /** How often the store is looked at for keys of other copies and for a rotation that is due; 60 s if not given. */
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
  /** Loads the keys, makes the first if there is none, and keeps rotating. Rejects if the store cannot be read. */
  start(): Promise<void>;
  /** A token signed RS256 with the key whose turn it is, with `kid`, `iat`, `exp` and a random `jti`. */
  sign(claims: Record<string, unknown>, options: TokenOptions): string;
  /** The public keys to publish, those to come and those of tokens still out included. */
  jwks(): { keys: JsonWebKey[] };
  /** Looks at the store and rotates if it is time; done by a timer too. */
  refresh(): Promise<void>;
  stop(): void;
}

type LoadedKey = StoredKey & { privateKey: KeyObject };

/**
 * Signing keys with rotation and without a failed request: a key is published `overlapHours` before it signs and stays
 * published `overlapHours` after it stopped. Copies of a service share the store; its lock makes one of them rotate.
 */
export function createKeyRing(store: KeyStore, options: KeyRingOptions): KeyRing {
  const { refreshSeconds = 60, now = Date.now, onWarning = () => undefined } = options;
  let keys: LoadedKey[] = [];
  let timer: NodeJS.Timeout | undefined;

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
      await read(locked); // another copy may have been first
      const begins = nextKeyBegins(keys, options, now());
      if (begins === undefined) return;
      await locked.insert(await newSigningKey(new Date(begins), new Date(keyExpires(begins, options))));
      await locked.deleteExpired(new Date(now()));
    });
    await read(store); // only what was committed may sign
  };

  return {
    refresh,
    async start() {
      await refresh();
      timer = setInterval(() => {
        refresh().catch((err: unknown) =>
          onWarning('the signing keys could not be refreshed; the ones at hand stay in use', {
            reason: err instanceof Error ? err.message : String(err),
          }),
        );
      }, refreshSeconds * 1000).unref();
    },
    stop: () => clearInterval(timer),
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
