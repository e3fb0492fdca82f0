import { recordAudit } from '@canvass/audit';
import { invalidToken, ownProvider, type Principal } from '@canvass/auth';
import { Problem, validationProblem } from '@canvass/errors';
import { revokeUserTokens } from '../revocations';
import {
  assertNotGuessable,
  credentialsById,
  hashPassword,
  passwordMatches,
  replacePassword,
} from '../users';
import type { Client } from './client';
import type { TokenDeps } from './deps';
import { openSession, type OpenedSession } from './session';
import { guardSignIn } from './sign-in-attempts';

/** The request body for a change of the own password. */
export interface PasswordChange {
  currentPassword: string;
  newPassword: string;
}

/**
 * Sets a new password for the caller and starts a new session. All other sessions and access tokens end.
 * Attempts count like sign-in attempts, so that a stolen access token cannot bypass the throttle.
 *
 * @throws {Problem} `permission_denied` for callers without a password here, `validation_failed` for a wrong
 * current password (no 401: the token is valid), `too_many_requests`, `conflict` if the password was changed
 * meanwhile
 */
export async function changePassword(
  deps: TokenDeps,
  { provider, kind, tenantId, subject }: Principal,
  { currentPassword, newPassword }: PasswordChange,
  client: Client,
): Promise<OpenedSession> {
  if (provider !== ownProvider || kind !== 'user') {
    throw new Problem('permission_denied', {
      detail: 'Only users who sign in here have a password.',
    });
  }
  const { db, settings } = deps;
  const user = await credentialsById(db, tenantId, subject);
  if (!user?.isEnabled) throw invalidToken('The user of the token is deleted or disabled.');
  const attempt = { account: `user:${user.email}`, client };
  await assertNotGuessable(db, 'newPassword', newPassword, user);
  return guardSignIn(db, settings.SignIn, attempt, async () => {
    if (!(await passwordMatches(user.passwordHash, currentPassword))) {
      throw validationProblem({ currentPassword: ['is wrong'] });
    }
    // Before the transaction, because hashing takes longer than a lock should be held.
    const passwordHash = await hashPassword(newPassword);
    return db.transaction(async (tx) => {
      const credentialsVersion = await replacePassword(tx, user, passwordHash);
      if (credentialsVersion === undefined) throw new Problem('conflict');
      const tokenVersion = await revokeUserTokens(tx, tenantId, user.id);
      await recordAudit(tx, { tenantId, object: ['user', user.id] });
      return openSession(tx, deps, { ...user, credentialsVersion, tokenVersion }, client);
    });
  });
}
