import { recordAudit } from '@canvass/audit';
import type { Tx } from '@canvass/postgres';
import { revokeAll } from '../revocations';
import { ownActor } from './own-actor';
import { revokeFamilyOf, type EndedFamily } from './refresh-tokens.sql';

/**
 * Ends the session of a refresh token, whether the token is used, expired or valid: its refresh tokens and
 * its access tokens. Returns the session if anything was revoked.
 */
export async function endSession(tx: Tx, refreshToken: string): Promise<EndedFamily | undefined> {
  const ended = await revokeFamilyOf(tx, refreshToken);
  if (ended !== undefined) await revokeAll(tx, 'session', ended.familyId);
  return ended;
}

/** Ends the session of a refresh token for its holder, and records it. */
export async function signOut(tx: Tx, refreshToken: string): Promise<void> {
  const ended = await endSession(tx, refreshToken);
  if (ended === undefined) return;
  const { tenantId, familyId, userId } = ended;
  await recordAudit(tx, { tenantId, object: ['session', familyId], actor: ownActor('user', userId) });
}
