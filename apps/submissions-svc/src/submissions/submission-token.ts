import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, base64url: 43 characters. */
const form = /^[A-Za-z0-9_-]{43}$/;

/** A new token and its stored form. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashOf(token) };
}

/** The stored form of a received token; null for a text that cannot be a token. */
export const hashOfSent = (token: string): Buffer | null => (form.test(token) ? hashOf(token) : null);

/** Plain SHA-256: a token of 256 random bits cannot be guessed, so a slow hash would not help. */
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
