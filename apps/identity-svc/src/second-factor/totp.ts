import { createHmac, randomBytes } from 'node:crypto';

/** Time-based one-time passwords (RFC 6238) with the parameters that all authenticator apps support. */
const stepSeconds = 30;
const digits = 6;
/** A clock may differ by one step, and a person takes a moment to type. */
const drift = 1;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** `count` random characters of Base32 (RFC 4648), of 5 bits each. */
export const randomBase32 = (count: number): string =>
  [...randomBytes(count)].map((byte) => alphabet[byte % 32]).join('');

function bytesOf(base32: string): Buffer {
  const bits = [...base32]
    .map((character) => alphabet.indexOf(character).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
}

/** The code of a time step (RFC 4226, section 5.3). */
export function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const offset = digest.at(-1)! & 0xf;
  const number = (digest.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits;
  return String(number).padStart(digits, '0');
}

/** The time step of a moment in milliseconds since 1970. */
export const stepAt = (ms: number): number => Math.floor(ms / 1000 / stepSeconds);

/** The time step whose code it is, at most one step from now; undefined for a wrong code. */
export function stepOfCode(secret: string, code: string, now: number): number | undefined {
  const current = stepAt(now);
  const steps = Array.from({ length: 2 * drift + 1 }, (_, at) => current - drift + at);
  // Compared one by one: the time shows only which step matches, and guesses are limited.
  return steps.find((step) => codeOf(secret, step) === code);
}

/** The address from which authenticator apps read the secret, as a QR code. */
export function totpAddress(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&digits=${digits}&period=${stepSeconds}`;
}
