import { invalidToken, ownProvider, type Principal } from '@canvass/auth';
import { Problem, validationProblem } from '@canvass/errors';
import { credentialsById, hashPassword, passwordMatches, replacePassword } from '../users';
import type { TokenDeps } from './deps';
import { openSession, type Session } from './session';
import { guardSignIn } from './sign-in-attempts';

/** What a user sends to change the own password. */
export interface PasswordChange {
  currentPassword: string;
  newPassword: string;
}

/**
 * Gives the caller another password and a new session; all other sessions end with their access tokens, since no
 * refresh token of before is good any more. Tries count as tries to sign in do, so that a stolen access token is no
 * way around the throttle.
 *
 * @throws {Problem} `permission_denied` for callers without a password here, `validation_failed` for a wrong current
 * password (no 401: the token is good), `too_many_requests`, `conflict` where the password was changed meanwhile
 */
export async function changePassword(
  deps: TokenDeps,
  { provider, kind, tenantId, subject }: Principal,
  { currentPassword, newPassword }: PasswordChange,
  address: string,
): Promise<Session> {
  if (provider !== ownProvider || kind !== 'user') {
    throw new Problem('permission_denied', {
      detail: 'Only a user who signs in here has a password to change.',
    });
  }
  const { db, settings } = deps;
  const user = await credentialsById(db, tenantId, subject);
  if (!user?.isEnabled) throw invalidToken('The user of the token is gone or disabled.');
  return guardSignIn(db, settings.SignIn, { account: `user:${user.email}`, address }, async () => {
    if (!(await passwordMatches(user.passwordHash, currentPassword))) {
      throw validationProblem({ currentPassword: ['is not right'] });
    }
    // Before the transaction: hashing takes longer than a lock should be held.
    const passwordHash = await hashPassword(newPassword);
    return db.transaction(async (tx) => {
      const credentialsVersion = await replacePassword(tx, user, passwordHash);
      if (credentialsVersion === undefined) throw new Problem('conflict');
      return openSession(tx, deps, { ...user, credentialsVersion });
    });
  });
}
