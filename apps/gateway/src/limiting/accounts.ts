import { withTimeout } from '@canvass/async';
import type { Authenticator, Principal } from '@canvass/auth';
import { Problem } from '@canvass/errors';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';

/** A request waits no longer than this for the keys of an issuer, in milliseconds. */
const maxWaitMs = 250;

/**
 * The account that a bearer token counts for: tenant and subject of a verified token, so that a new token
 * brings no new limit. Null for a token that is not valid: its service will refuse it. Without an issuer or
 * its keys, the token itself.
 *
 * @param digest SHA-256 of the token. A verified token is cached by it until it expires.
 */
export type AccountOf = (authorization: string, digest: string) => string | null | Promise<string | null>;

interface Known {
  account: string;
  /** Seconds since 1970. */
  expiresAt: number;
}

export function createAccountOf(authenticator: Authenticator | null, maxKeys: number): AccountOf {
  const known = new LRUCache<string, Known>({ max: maxKeys });
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
    return withTimeout(verified(authenticator, authorization, digest), maxWaitMs).catch(() =>
      tokenItself(digest),
    );
  };
}

/** A hash, because subjects may be long and many accounts are cached. */
function accountOf({ provider, tenantId, subject }: Principal): string {
  const text = JSON.stringify([provider, tenantId, subject]);
  return createHash('sha256').update(text).digest('base64url');
}
