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
