import { createSecretKey, type KeyObject } from 'node:crypto';
import { sign } from 'jsonwebtoken';
import { invalidToken } from './challenge';
import type { InternalSettings } from './settings';
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
 *
 * @param secrets the first one signs; the others are accepted too, so that a secret can be replaced
 */
export function createServiceTokens(
  secrets: string | readonly string[],
  now: () => number = Date.now,
): ServiceTokens {
  const keys = [secrets].flat().map(keyOf);
  const read = (text: string) => {
    let refusal: unknown;
    for (const key of keys) {
      try {
        return verifyClaims(text, key, { algorithms: ['HS256'], audience: internalAudience, now });
      } catch (error) {
        refusal ??= error;
      }
    }
    throw refusal;
  };
  return {
    sign: (from) => {
      const iat = Math.floor(now() / 1000);
      return sign({ iat, exp: iat + lifetimeSeconds }, keys[0]!, {
        algorithm: 'HS256',
        audience: internalAudience,
        issuer: from,
      });
    },
    verify: (token) => {
      const { text, issuer } = readUnverified(token);
      read(text);
      if (!issuer) throw invalidToken('The token names no service.');
      return { service: issuer };
    },
  };
}

function keyOf(secret: string): KeyObject {
  if (Buffer.byteLength(secret) < 32) throw new Error('Service:Internal:Secret must have at least 32 bytes');
  return createSecretKey(Buffer.from(secret));
}

/** The secrets of the configuration, for `createServiceTokens`. */
export const internalSecrets = ({ Secret, AcceptedSecrets }: InternalSettings): string[] => [
  Secret,
  ...AcceptedSecrets,
];
