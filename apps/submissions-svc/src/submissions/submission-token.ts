import { ownProvider, versionOf, type Principal, type Revocations } from '@canvass/auth';
import { notFound } from '@canvass/errors';
import { createHash, randomFillSync } from 'node:crypto';

/** 256 random bits, base64url: 43 characters. */
const form = /^[A-Za-z0-9_-]{43}$/;

const tokenBytes = 32;
/** Random bytes are drawn for many tokens at once: one draw costs as much for one token as for all. */
const pool = Buffer.alloc(64 * tokenBytes);
let used = pool.length;

/** A new token and its stored form. */
export function newToken(): { token: string; hash: Buffer } {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const token = pool.toString('base64url', used, used + tokenBytes);
  pool.fill(0, used, used + tokenBytes);
  used += tokenBytes;
  return { token, hash: hashOf(token) };
}

/** The stored form of a received token; null for a text that cannot be a token. */
export const hashOfSent = (token: string): Buffer | null => (form.test(token) ? hashOf(token) : null);

/** Plain SHA-256: a token of 256 random bits cannot be guessed, so a slow hash would not help. */
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The user whose token it is: what the feed of revoked tokens is asked. */
export interface TokenHolder {
  kind: 'user';
  sub: string;
  ver: number;
}

/**
 * Null for an anonymous caller, for one of another provider, and for a service account, which is no
 * respondent.
 */
export const holderOf = (principal: Principal | null): TokenHolder | null =>
  principal?.provider === ownProvider && principal.kind === 'user'
    ? { kind: 'user', sub: principal.subject, ver: versionOf(principal.claims) }
    : null;

/** Asks whether an account lost its rights since. */
export type TokenRevocations = Pick<Revocations, 'assertNotRevoked'>;

/**
 * A token ends with the rights of the account that it was given to. Who signs in to the account again
 * continues with both tokens.
 *
 * @throws {Problem} `not_found`, as for an expired one
 */
export function assertHeld(
  revocations: TokenRevocations,
  holder: TokenHolder | null,
  caller: Principal | null,
): void {
  if (holder === null || (caller?.provider === ownProvider && caller.subject === holder.sub)) return;
  try {
    revocations.assertNotRevoked({ ...holder }, undefined);
  } catch {
    throw notFound('submission');
  }
}
