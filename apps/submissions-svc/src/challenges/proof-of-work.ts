import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

export interface Challenge {
  /** Opaque; base64url and dots. */
  challenge: string;
  /** Leading zero bits of the SHA-256 of a response. */
  bits: number;
  expiresAt: Date;
}

/** A response that was accepted. */
export interface Solution {
  /** Random bytes that no other challenge has. */
  nonce: Buffer;
  expiresAt: Date;
}

/** Form, expiry in seconds since 1970, bits, nonce, and the signature over all of them. */
const challengeShape = String.raw`(\d{1,19}\.(\d{1,12})\.(\d{1,2})\.([\w-]{22}))\.([\w-]{43})`;
const responseShape = new RegExp(`^${challengeShape}\\.\\d{1,16}$`);
const maxResponseLength = 150;

/** Keys that sign challenges, from secrets that all replicas share. */
export const challengeKeys = (secrets: readonly string[]): Buffer[] =>
  secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, '', 'canvass form challenge', 32)));

const sign = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64url');

/** A signed challenge. Nothing is stored of it. */
export function newChallenge(
  [key]: readonly Buffer[],
  { formId, bits, validSeconds }: { formId: string; bits: number; validSeconds: number },
): Challenge {
  const expiry = Math.floor(Date.now() / 1000) + validSeconds;
  const text = `${formId}.${expiry}.${bits}.${randomBytes(16).toString('base64url')}`;
  return { challenge: `${text}.${sign(key!, text)}`, bits, expiresAt: new Date(expiry * 1000) };
}

/**
 * The solution in a response, `<challenge>.<number>`; null if the response is not one to an unexpired
 * challenge of the form. Costs two hashes, however large the work was.
 */
export function solutionOf(keys: readonly Buffer[], formId: string, response: string): Solution | null {
  const match = response.length > maxResponseLength ? null : responseShape.exec(response);
  if (match === null) return null;
  const [, text, expiry, bits, nonce, signature] = match as unknown as string[];
  const expiresAt = new Date(Number(expiry) * 1000);
  if (!text!.startsWith(`${formId}.`) || expiresAt.getTime() <= Date.now()) return null;
  const sent = Buffer.from(signature!);
  if (!keys.some((key) => timingSafeEqual(Buffer.from(sign(key, text!)), sent))) return null;
  if (leadingZeroBits(createHash('sha256').update(response).digest()) < Number(bits)) return null;
  return { nonce: Buffer.from(nonce!, 'base64url'), expiresAt };
}

/** Counts those of the first 32 bits. */
const leadingZeroBits = (hash: Buffer): number => Math.clz32(hash.readUInt32BE(0));
