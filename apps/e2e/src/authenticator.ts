import { clientOf, login } from '@canvass/testing';
import { createHmac } from 'node:crypto';
import type { Callers } from './client';
import type { Account } from './console';

/** The code of an authenticator app now (RFC 6238). */
export function codeOf(base32: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...base32].map((sign) => alphabet.indexOf(sign).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const digest = createHmac('sha1', key).update(step).digest();
  const number = digest.readUInt32BE(digest.at(-1)! & 15) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** Sets up the second factor of a person. Returns the recovery codes. */
export async function addSecondFactor(
  { gatewayUrl }: Callers,
  { email, password }: Account,
): Promise<string[]> {
  const own = clientOf(gatewayUrl, await login(gatewayUrl, email, password));
  const path = '/api/auth/me/second-factor';
  const { secret } = await own.expect<{ secret: string }>(200, 'POST', path, { currentPassword: password });
  const body = { code: codeOf(secret) };
  const { recoveryCodes } = await own.expect<{ recoveryCodes: string[] }>(
    200,
    'POST',
    `${path}/confirm`,
    body,
  );
  return recoveryCodes;
}
