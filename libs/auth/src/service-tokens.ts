import { createSecretKey } from 'node:crypto';
import { sign } from 'jsonwebtoken';
import { invalidToken } from './challenge';
import { readUnverified } from './token-text';
import { verifyClaims } from './verify-claims';

const internalAudience = 'canvass-internal';
const lifetimeSeconds = 60;

export interface ServiceTokens {
  /** A token for one call between services, valid for 60 s. `from` is the name of the calling service. */
  sign(from: string): string;
  /** The name of the calling service. Throws a 401 Problem if the token is not valid. */
  verify(token: string): { service: string };
}

/**
 * Tokens for calls between services: HS256 with a shared secret and a separate audience. Public endpoints
 * reject them, and internal endpoints reject the tokens of users.
 */
export function createServiceTokens(secret: string, now: () => number = Date.now): ServiceTokens {
  if (Buffer.byteLength(secret) < 32) throw new Error('Service:Internal:Secret must have at least 32 bytes');
  const key = createSecretKey(Buffer.from(secret));
  return {
    sign: (from) => {
      const iat = Math.floor(now() / 1000);
      return sign({ iat, exp: iat + lifetimeSeconds }, key, {
        algorithm: 'HS256',
        audience: internalAudience,
        issuer: from,
      });
    },
    verify: (token) => {
      const { text, issuer } = readUnverified(token);
      verifyClaims(text, key, { algorithms: ['HS256'], audience: internalAudience, now });
      if (!issuer) throw invalidToken('The token names no service.');
      return { service: issuer };
    },
  };
}
