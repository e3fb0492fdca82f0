import {
  generateKeyPairSync,
  randomUUID,
  sign as signBytes,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { listen, newRsaKeys } from '@canvass/testing';
import jwt from 'jsonwebtoken';

export interface TestKey {
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

export function rsaKey(modulusLength = 2048): TestKey {
  return { kid: randomUUID(), ...newRsaKeys(modulusLength) };
}

export function ecKey(namedCurve = 'P-256'): TestKey {
  return { kid: randomUUID(), ...generateKeyPairSync('ec', { namedCurve }) };
}

export function jwkOf(key: TestKey, members: Record<string, unknown> = {}): JsonWebKey {
  return { ...key.publicKey.export({ format: 'jwk' }), kid: key.kid, use: 'sig', ...members };
}

/** A real HTTP server of a key set and of discovery, whose behaviour a spec sets. */
export async function provider() {
  const state = {
    keys: [] as JsonWebKey[],
    fetches: 0,
    /** The response instead of the key set, if set. */
    answer: undefined as undefined | { status: number; body: string; headers?: Record<string, string> },
    discovery: undefined as undefined | Record<string, unknown>,
  };
  const { url, close } = await listen((request, response) => {
    if (request.url?.endsWith('/.well-known/openid-configuration')) {
      response.writeHead(state.discovery ? 200 : 404).end(JSON.stringify(state.discovery ?? {}));
      return;
    }
    state.fetches += 1;
    const { status, body, headers } = state.answer ?? {
      status: 200,
      body: JSON.stringify({ keys: state.keys }),
      headers: {},
    };
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  return { url, jwksUri: `${url}/jwks`, state, close };
}

export type TestProvider = Awaited<ReturnType<typeof provider>>;

export const nowSeconds = () => Math.floor(Date.now() / 1000);

/** Claims of a good token of the own provider; `undefined` removes one. */
export function ownClaims(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  const claims: Record<string, unknown> = {
    iss: 'canvass-identity',
    aud: 'canvass-api',
    sub: '7001',
    tid: '42',
    kind: 'user',
    roles: ['Editor'],
    iat: nowSeconds(),
    exp: nowSeconds() + 900,
    ...overrides,
  };
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
}

export function signed(
  key: TestKey,
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
  algorithm: jwt.Algorithm = 'RS256',
): string {
  return jwt.sign(claims, key.privateKey, {
    algorithm,
    noTimestamp: true,
    header: { alg: algorithm, kid: key.kid, ...header },
  });
}

const encoded = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/**
 * A correctly signed RS256 token with any header and payload text, which jsonwebtoken would refuse to create.
 */
export function signedRaw(key: TestKey, header: unknown, payload: unknown): string {
  const input = `${encoded(header)}.${encoded(payload)}`;
  return `${input}.${signBytes('sha256', Buffer.from(input), key.privateKey).toString('base64url')}`;
}

/** A token with that third part. */
export function unsigned(header: unknown, payload: unknown, signature = ''): string {
  return `${encoded(header)}.${encoded(payload)}.${signature}`;
}
