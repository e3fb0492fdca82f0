import type { Algorithm } from 'jsonwebtoken';
import { invalidToken } from './challenge';

/** Longer tokens are refused before anything is decoded; a Keycloak token with many roles stays below. */
export const maxTokenLength = 12_288;

/** Signature algorithms that can be accepted at all; each verifier pins the ones it wants. `none` and HMAC are not here. */
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
] as const satisfies readonly Algorithm[];

/** What a token says of itself before its signature was checked; good for choosing the key and nothing else. */
export interface UnverifiedToken {
  text: string;
  algorithm: string;
  keyId: string | undefined;
  issuer: string | undefined;
}

/** The token of an `Authorization` header (RFC 6750, section 2.1); a 401 for any other shape. */
export function bearerToken(authorizationHeader: string): string {
  // The scheme is case-insensitive (RFC 9110, section 11.1).
  const match = /^bearer +([^ ]+) *$/i.exec(authorizationHeader.slice(0, maxTokenLength + 64));
  if (!match) throw invalidToken('The header Authorization is not of the form: Bearer <token>.');
  return match[1]!;
}

/**
 * Reads a token's header and issuer. Strict where the decoders below are lenient: three parts of base64url without
 * padding, both JSON objects. `jwk`, `jku`, `x5u` and `x5c` of the header are never looked at; a `crit` header is a
 * refusal, as RFC 7515 section 4.1.11 asks of those who understand no extension.
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
  if ('crit' in header) throw invalidToken('The token asks for an extension that is not supported.');
  if (typeof header['alg'] !== 'string') throw invalidToken('The token names no algorithm.');
  return {
    text,
    algorithm: header['alg'],
    keyId: typeof header['kid'] === 'string' && header['kid'] !== '' ? header['kid'] : undefined,
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
