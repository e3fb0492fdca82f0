import { recordAudit } from '@canvass/audit';
import type { Principal } from '@canvass/auth';
import { Problem } from '@canvass/errors';
import { revokeUserTokens } from '../revocations';
import { assertNotGuessable, hashPassword, replacePassword } from '../users';
import type { Client } from './client';
import type { TokenDeps } from './deps';
import { callingUser, proveCaller, type OwnProof } from './prove-caller';
import { openSession, type OpenedSession } from './session';

/** The request body for a change of the own password. */
export interface PasswordChange extends OwnProof {
  newPassword: string;
}

/**
 * Sets a new password for the caller and starts a new session. All other sessions and access tokens end.
 *
 * @throws {Problem} `permission_denied` for callers without a password here, `validation_failed`,
 * `too_many_requests`, `conflict` if the password was changed meanwhile
 */
export async function changePassword(
  deps: TokenDeps,
  caller: Principal,
  { newPassword, ...proof }: PasswordChange,
  client: Client,
): Promise<OpenedSession> {
  const { db } = deps;
  const user = await callingUser(deps, caller);
  await assertNotGuessable(db, 'newPassword', newPassword, user);
  await proveCaller(deps, user, proof, client);
  // Before the transaction, because hashing takes longer than a lock should be held.
  const passwordHash = await hashPassword(newPassword);
  return db.transaction(async (tx) => {
    const credentialsVersion = await replacePassword(tx, user, passwordHash);
    if (credentialsVersion === undefined) throw new Problem('conflict');
    const tokenVersion = await revokeUserTokens(tx, user.tenantId, user.id);
    await recordAudit(tx, { tenantId: user.tenantId, object: ['user', user.id] });
    return openSession(tx, deps, { ...user, credentialsVersion, tokenVersion }, client);
  });
}
