import type { Tx } from '@canvass/postgres';
import { revokeAll } from '../revocations';
import { revokeFamilyOf } from './refresh-tokens.sql';

/**
 * Ends the session of a refresh token, whether the token is used, expired or valid: its refresh tokens and
 * its access tokens. Returns the id of the session if anything was revoked.
 */
export async function endSession(tx: Tx, refreshToken: string): Promise<string | undefined> {
  const familyId = await revokeFamilyOf(tx, refreshToken);
  if (familyId !== undefined) await revokeAll(tx, 'session', familyId);
  return familyId;
}
