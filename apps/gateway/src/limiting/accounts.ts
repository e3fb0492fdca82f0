import type { Authenticator, Principal } from '@canvass/auth';
import { Problem } from '@canvass/errors';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';

/** Nobody waits longer for the keys of an issuer to be fetched. */
const mostWaitMs = 250;

/**
 * Whose budget a bearer token spends: the account's (tenant and subject) of a token that is good, so that a new token
 * brings no new budget and a made-up one spends nobody else's. Null for a bad token: its service will refuse it. The
 * token's own for want of an issuer or of its keys.
 *
 * @param digest SHA-256 of the token; a verified token is remembered by it until it expires
 */
export type AccountOf = (authorization: string, digest: string) => string | null | Promise<string | null>;

interface Known {
  account: string;
  /** Seconds since 1970. */
  expiresAt: number;
}

export function createAccountOf(authenticator: Authenticator | null, mostKeys: number): AccountOf {
  const known = new LRUCache<string, Known>({ max: mostKeys });
  const tokenItself = (digest: string) => `token ${digest}`;

  async function verified(authenticator: Authenticator, authorization: string, digest: string) {
    try {
      const principal = await authenticator.authenticate(authorization);
      if (principal === null) return null;
      const account = accountOf(principal);
      known.set(digest, { account, expiresAt: Number(principal.claims['exp'] ?? 0) });
      return account;
    } catch (error) {
      return error instanceof Problem && error.status === 401 ? null : tokenItself(digest);
    }
  }

  return (authorization, digest) => {
    if (authenticator === null) return tokenItself(digest);
    const remembered = known.get(digest);
    if (remembered !== undefined && Date.now() < remembered.expiresAt * 1000) return remembered.account;
    return within(mostWaitMs, verified(authenticator, authorization, digest), tokenItself(digest));
  };
}

/** Of one length, however long an issuer's subjects are: it is kept for many accounts. */
function accountOf({ provider, tenantId, subject }: Principal): string {
  const text = JSON.stringify([provider, tenantId, subject]);
  return createHash('sha256').update(text).digest('base64url');
}

function within<T>(ms: number, promise: Promise<T>, otherwise: T): Promise<T> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(otherwise), ms);
    void promise.then((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });
}
