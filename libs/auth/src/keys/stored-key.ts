import { createHash, generateKeyPair, type JsonWebKey } from 'node:crypto';
import { promisify } from 'node:util';

/** A signing key as the service stores it. */
export interface StoredKey {
  /** Thumbprint of the public key (RFC 7638). */
  kid: string;
  /** PKCS 8. Plain text in memory; the store encrypts it. */
  privateKeyPem: string;
  publicJwk: JsonWebKey;
  /** The key signs from then on, until a younger key does. It is published as soon as it is stored. */
  notBefore: Date;
  /** The key is not published any more from then on. */
  expiresAt: Date;
}

/** The place where a service stores its signing keys. All replicas share it. */
export interface KeyStore {
  load(): Promise<StoredKey[]>;
  insert(key: StoredKey): Promise<void>;
  /** Deletes the keys whose `expiresAt` is past. */
  deleteExpired(now: Date): Promise<void>;
  /**
   * Runs `fn` under a lock shared by all replicas. It may pass a store that uses the connection of the lock,
   * so that a pool of one connection is enough.
   */
  lock<T>(fn: (locked?: KeyStore) => Promise<T>): Promise<T>;
}

const generate = promisify(generateKeyPair);

/** A new RSA key pair of 2048 bits for RS256. */
export async function newSigningKey(notBefore: Date, expiresAt: Date): Promise<StoredKey> {
  const { privateKey, publicKey } = await generate('rsa', { modulusLength: 2048 });
  const { kty, n, e } = publicKey.export({ format: 'jwk' });
  // RFC 7638: the required members in lexicographic order, without spaces.
  const kid = createHash('sha256').update(JSON.stringify({ e, kty, n })).digest('base64url');
  return {
    kid,
    privateKeyPem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    publicJwk: { kty: kty!, n: n!, e: e!, kid, use: 'sig', alg: 'RS256' },
    notBefore,
    expiresAt,
  };
}
