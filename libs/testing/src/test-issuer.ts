import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomUUID,
  type KeyObject,
} from 'node:crypto';
import jwt from 'jsonwebtoken';
import { listen } from './listen';

export interface TestIssuerOptions {
  /**
   * `own` (default): the claims of identity-svc. `keycloak`: the issuer is a URL, the roles are in
   * `realm_access.roles`, and there is no `tid`.
   */
  shape?: 'own' | 'keycloak';
  issuer?: string;
  audience?: string;
}

export interface TokenOptions {
  /** Default 900. A negative number gives an expired token. */
  expiresInSeconds?: number;
  /** Overrides `kid` of the header. */
  keyId?: string;
  /** Signs with a key that is not in the key set, under the current `kid`. */
  forged?: boolean;
}

/**
 * Claims to add or replace; `undefined` removes one. `roles` is placed as the shape of the issuer requires.
 */
export type TokenClaims = Record<string, unknown> & { roles?: readonly string[] };

export interface TestIssuer {
  issuer: string;
  audience: string;
  /** HTTP URL of the key set. */
  jwksUri: string;
  /** HTTP URL of the feed of revoked tokens. */
  revocationsUri: string;
  /** Adds an entry to the feed. */
  revoke(entry: { kind: string; subject: string; minVersion: number | null }): void;
  /** While false, requests for the feed return 503. */
  setFeedAvailable(available: boolean): void;
  /** Number of requests for the key set. */
  readonly fetches: number;
  /** Creates an access token, signed with RS256. */
  token(claims?: TokenClaims, options?: TokenOptions): string;
  /** Signs with a new key from now on. The old key stays in the key set, as in a real rotation. */
  rotate(): void;
  /** While false, requests for the key set return 503. */
  setAvailable(available: boolean): void;
  close(): Promise<void>;
}

interface Key {
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/**
 * A pair of keys, read from its encoding. A key object of the generator shares a lock with it, and Node 20
 * waits forever if the generator is collected as garbage while details of the key are read.
 */
export function newRsaKeys(modulusLength = 2048): Pick<Key, 'privateKey' | 'publicKey'> {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { privateKey: createPrivateKey(privateKey), publicKey: createPublicKey(privateKey) };
}

const newKey = (): Key => ({ kid: randomUUID(), ...newRsaKeys() });

/** An identity provider for tests: serves its key set over HTTP and signs access tokens. */
export async function testIssuer(options: TestIssuerOptions = {}): Promise<TestIssuer> {
  const shape = options.shape ?? 'own';
  // Keys take a tenth of a second each, so that they are made when they are first asked for.
  const keys: Key[] = [];
  const current = () => (keys[0] ??= newKey());
  let forgery: Key | undefined;
  let available = true;
  let fetches = 0;

  const revocations: object[] = [];
  let feedAvailable = true;

  const { url, close } = await listen((request, response) => {
    if (request.url?.startsWith('/internal/revocations')) {
      const page = { revocations, next: '1', hasMore: false };
      response.writeHead(feedAvailable ? 200 : 503, { 'content-type': 'application/json' });
      response.end(JSON.stringify(page));
      return;
    }
    fetches += 1;
    if (!available) {
      response.writeHead(503).end();
      return;
    }
    current();
    const published = keys.map((key) => ({
      ...key.publicKey.export({ format: 'jwk' }),
      kid: key.kid,
      use: 'sig',
      alg: 'RS256',
    }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: published }));
  });

  const issuer = options.issuer ?? (shape === 'keycloak' ? `${url}/realms/test` : 'canvass-identity');
  const audience = options.audience ?? (shape === 'keycloak' ? 'account' : 'canvass-api');

  function claimsOf({ roles, ...given }: TokenClaims, expiresInSeconds: number): Record<string, unknown> {
    const now = Math.floor(Date.now() / 1000);
    const times = { iat: Math.min(now, now + expiresInSeconds), exp: now + expiresInSeconds };
    const registered = { iss: issuer, aud: audience, sub: randomUUID(), jti: randomUUID(), ...times };
    const shaped =
      shape === 'keycloak'
        ? { typ: 'Bearer', azp: 'forms', realm_access: { roles: roles ?? [] }, scope: 'openid profile email' }
        : { kind: 'user', tid: '1', roles: roles ?? [] };
    const all: Record<string, unknown> = { ...registered, ...shaped, ...given };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  }

  return {
    issuer,
    audience,
    jwksUri: `${url}/.well-known/jwks.json`,
    revocationsUri: `${url}/internal/revocations`,
    revoke(entry) {
      revocations.push({ ...entry, expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
    },
    setFeedAvailable(value) {
      feedAvailable = value;
    },
    get fetches() {
      return fetches;
    },
    token(claims = {}, { expiresInSeconds = 900, keyId, forged = false } = {}) {
      const { privateKey, kid } = current();
      const signedWith = forged ? (forgery ??= newKey()).privateKey : privateKey;
      return jwt.sign(claimsOf(claims, expiresInSeconds), signedWith, {
        algorithm: 'RS256',
        keyid: keyId ?? kid,
      });
    },
    rotate() {
      current(); // the old key stays in the key set
      keys.unshift(newKey());
    },
    setAvailable(value) {
      available = value;
    },
    close,
  };
}
