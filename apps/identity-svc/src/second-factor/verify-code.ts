import type { SecretBox } from '@canvass/auth';
import { reencrypt, type Queryable, type SealedColumn } from '@canvass/postgres';
import { createHash } from 'node:crypto';
import { selectSecondFactor, useRecoveryCode, useTimeStep } from './second-factor.sql';
import { randomBase32, stepOfCode } from './totp';

/** The place where a secret may be opened. */
export const sealedFor = (userId: string): string => `totp:${userId}`;

/** The columns for re-encryption. */
export const sealedSecrets = (box: SecretBox): SealedColumn => ({
  table: 'second_factors',
  column: 'secret',
  key: ['tenant_id', 'user_id'],
  reencrypt: (sealed, { user_id: userId = '' }) => reencrypt(box, sealed, sealedFor(userId)),
});

const recoveryCodes = 10;

/** New recovery codes of 140 random bits, seven groups of four characters. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: recoveryCodes }, () => randomBase32(28).match(/.{4}/g)!.join('-'));

/** A fast hash is enough for 140 random bits. Blanks, hyphens and case do not matter. */
export const recoveryHash = (code: string): Buffer =>
  createHash('sha256')
    .update(code.toUpperCase().replace(/[^A-Z2-7]/g, ''))
    .digest();

/**
 * Returns whether it is a code of the confirmed second factor of a user, or one of the recovery codes. Uses
 * it up: the same code is wrong from then on.
 */
export async function useCode(
  db: Queryable,
  box: SecretBox,
  user: { tenantId: string; userId: string },
  code: string,
): Promise<boolean> {
  const digits = code.replace(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) return useRecoveryCode(db, user, recoveryHash(code));
  const factor = await selectSecondFactor(db, user);
  if (!factor?.isConfirmed) return false;
  const step = stepOfCode(box.open(factor.secret, sealedFor(user.userId)), digits, Date.now());
  return step !== undefined && useTimeStep(db, user, step);
}
