import type { KeyObject } from 'node:crypto';
import { JsonWebTokenError, NotBeforeError, TokenExpiredError, verify, type Algorithm } from 'jsonwebtoken';
import { invalidToken } from './challenge';
import { isRecord } from './token-text';

/** Accepted clock difference between issuer and verifier in seconds. */
const clockLeewaySeconds = 30;

export type Claims = Readonly<Record<string, unknown>>;

export interface ClaimRules {
  algorithms: readonly Algorithm[];
  issuer?: string;
  audience: string;
  now: () => number;
}

/**
 * Verifies signature, `iss`, `aud`, `exp` and `nbf` of a token with one key and returns its claims. `exp` is
 * required: jsonwebtoken alone accepts a token without expiry.
 */
export function verifyClaims(text: string, key: KeyObject, rules: ClaimRules): Claims {
  let claims: unknown;
  try {
    claims = verify(text, key, {
      algorithms: [...rules.algorithms],
      audience: rules.audience,
      ...(rules.issuer === undefined ? {} : { issuer: rules.issuer }),
      clockTolerance: clockLeewaySeconds,
      clockTimestamp: Math.floor(rules.now() / 1000),
    });
  } catch (err) {
    throw invalidToken(reasonOf(err), err);
  }
  if (!isRecord(claims)) throw invalidToken('The token holds no claims.');
  if (!Number.isFinite(claims['exp'])) throw invalidToken('The token has no expiry.');
  return Object.freeze(claims);
}

/**
 * The reason for a rejection. Messages of jsonwebtoken repeat the expected values, which are configuration.
 */
function reasonOf(err: unknown): string {
  if (err instanceof TokenExpiredError) return 'The token has expired.';
  if (err instanceof NotBeforeError) return 'The token is not valid yet.';
  if (err instanceof JsonWebTokenError) {
    if (err.message.startsWith('jwt audience')) return 'The token is for another audience.';
    if (err.message.startsWith('jwt issuer')) return 'The token is from another issuer.';
    if (err.message === 'invalid algorithm') return 'The algorithm of the token is not accepted.';
  }
  return 'The signature of the token is not valid.';
}
