import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, base64url: 43 characters. */
const form = /^[A-Za-z0-9_-]{43}$/;

/** A new token and what is stored of it. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashOf(token) };
}

/** What is stored of a token that was sent; null for a text that never was one. */
export const hashOfSent = (token: string): Buffer | null => (form.test(token) ? hashOf(token) : null);

/** Plain SHA-256: a token of 256 random bits cannot be guessed, so that a slow hash would protect nothing. */
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();
