import type { Algorithm } from 'jsonwebtoken';
import { invalidToken } from './challenge';

/** Longer tokens are rejected before decoding. A Keycloak token with many roles is shorter. */
const maxTokenLength = 12_288;

/** The signature algorithms that a verifier can choose from. `none` and HMAC are excluded. */
export const asymmetricAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
] as const;

/** A signature algorithm that a verifier can accept. */
export type SignatureAlgorithm = Algorithm | 'EdDSA';

/** The content of a token before its signature is checked. Use it only to choose the key. */
export interface UnverifiedToken {
  text: string;
  algorithm: string;
  keyId: string | undefined;
  /** `typ` of the header, without `application/`, in lower case. */
  type: string | undefined;
  issuer: string | undefined;
}

/** The token of an `Authorization` header (RFC 6750, section 2.1). Throws a 401 for any other form. */
export function bearerToken(authorizationHeader: string): string {
  // The scheme is case-insensitive (RFC 9110, section 11.1).
  const match = /^bearer +([^ ]+) *$/i.exec(authorizationHeader.slice(0, maxTokenLength + 64));
  if (!match) throw invalidToken('The Authorization header must have the form: Bearer <token>.');
  return match[1]!;
}

/**
 * Reads header and issuer of a token. It is stricter than the decoders: three parts of base64url without
 * padding, both of them JSON objects. `jwk`, `jku`, `x5u` and `x5c` of the header are ignored. A `crit`
 * header is rejected, as RFC 7515 section 4.1.11 requires, because no extension is supported.
 */
export function readUnverified(text: string): UnverifiedToken {
  if (text.length > maxTokenLength) throw invalidToken('The token is too long.');
  const parts = text.split('.');
  if (parts.length !== 3 || !parts.every((part) => /^[A-Za-z0-9_-]+$/.test(part))) {
    throw invalidToken('The token is not a signed JSON Web Token.');
  }
  const header = jsonObject(parts[0]!);
  const payload = jsonObject(parts[1]!);
  if (!header || !payload) throw invalidToken('The token is not a signed JSON Web Token.');
  if ('crit' in header) throw invalidToken('The token requires an extension that is not supported.');
  if (typeof header['alg'] !== 'string') throw invalidToken('The token names no algorithm.');
  return {
    text,
    algorithm: header['alg'],
    keyId: typeof header['kid'] === 'string' && header['kid'] !== '' ? header['kid'] : undefined,
    type:
      typeof header['typ'] === 'string'
        ? header['typ'].toLowerCase().replace(/^application\//, '')
        : undefined,
    issuer: typeof payload['iss'] === 'string' ? payload['iss'] : undefined,
  };
}

function jsonObject(base64url: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(base64url, 'base64url').toString('utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
