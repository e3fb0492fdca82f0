import { createHash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** `l` and 256 random bits, base64url: one character longer than the token of a submission. */
const form = /^l[A-Za-z0-9_-]{43}$/;

export const isLinkToken = (token: string): boolean => form.test(token);

/** The header in which a client sends the token of a link. */
export const linkHeader = { 'X-Submission-Token': '`token` of a link to a submission of the form' };

/** The token in the headers of a request; empty without one. */
export const linkOf = (headers: IncomingHttpHeaders): string => String(headers['x-submission-token'] ?? '');

/** A new token and its stored form. */
export function newLinkToken(): { token: string; tokenHash: Buffer } {
  const token = `l${randomBytes(32).toString('base64url')}`;
  return { token, tokenHash: hashOfLink(token) };
}

/** Plain SHA-256: a token of 256 random bits cannot be guessed, so a slow hash would not help. */
export const hashOfLink = (token: string): Buffer => createHash('sha256').update(token).digest();
