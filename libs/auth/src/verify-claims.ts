import { verify as verifyBytes, type KeyObject } from 'node:crypto';
import { verify } from 'jsonwebtoken';
import { invalidToken } from './challenge';
import { isRecord, type SignatureAlgorithm } from './token-text';

/** Accepted clock difference between issuer and verifier in seconds. */
const clockLeewaySeconds = 30;

export type Claims = Readonly<Record<string, unknown>>;

export interface ClaimRules {
  algorithms: readonly SignatureAlgorithm[];
  issuer?: string;
  audience: string;
  now: () => number;
}

/**
 * Verifies signature, `iss`, `aud`, `exp` and `nbf` of a token with one key and returns its claims. `exp` is
 * required.
 */
export function verifyClaims(text: string, key: KeyObject, rules: ClaimRules): Claims {
  const claims = signedClaims(text, key, rules.algorithms);
  if (!isRecord(claims)) throw invalidToken('The token holds no claims.');
  const { iss, aud, exp, nbf } = claims;
  const seconds = Math.floor(rules.now() / 1000);
  if (rules.issuer !== undefined && iss !== rules.issuer)
    throw invalidToken('The token is from another issuer.');
  if (![aud].flat().includes(rules.audience)) throw invalidToken('The token is for another audience.');
  if (!Number.isFinite(exp)) throw invalidToken('The token has no expiry.');
  if (seconds >= (exp as number) + clockLeewaySeconds) throw invalidToken('The token has expired.');
  if (nbf !== undefined && !(Number.isFinite(nbf) && (nbf as number) <= seconds + clockLeewaySeconds))
    throw invalidToken('The token is not valid yet.');
  return Object.freeze(claims);
}

/** The payload of a token whose signature is valid. */
function signedClaims(text: string, key: KeyObject, algorithms: readonly SignatureAlgorithm[]): unknown {
  try {
    if (key.asymmetricKeyType?.startsWith('ed') === true) {
      // jsonwebtoken does not know EdDSA.
      const [header, payload, signature] = text.split('.') as [string, string, string];
      if (!algorithms.includes('EdDSA')) throw new Error('another algorithm');
      if (!verifyBytes(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url')))
        throw new Error('another signature');
      return JSON.parse(Buffer.from(payload, 'base64url').toString());
    }
    const known = algorithms.filter((algorithm) => algorithm !== 'EdDSA');
    return verify(text, key, { algorithms: known, ignoreExpiration: true, ignoreNotBefore: true });
  } catch (err) {
    const isOther = err instanceof Error && err.message === 'invalid algorithm';
    throw invalidToken(
      isOther ? 'The algorithm of the token is not accepted.' : 'The signature of the token is not valid.',
      err,
    );
  }
}
