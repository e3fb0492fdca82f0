import { credentialsByEmail, hashPassword, isOutdated, passwordMatches, replaceHash } from '../users';
import type { Client } from './client';
import type { TokenDeps } from './deps';
import { invalidCredentials, openSession, type OpenedSession } from './session';
import { guardSignIn } from './sign-in-attempts';

/**
 * Signs a user in. An unknown address, a wrong password and a disabled user get the same 401 in the same
 * time. 429 after too many attempts.
 */
export async function login(
  deps: TokenDeps,
  { email, password }: { email: string; password: string },
  client: Client,
): Promise<OpenedSession> {
  const { db, settings } = deps;
  return guardSignIn(db, settings.SignIn, { account: `user:${email}`, address: client.address }, async () => {
    const user = await credentialsByEmail(db, email);
    const matches = await passwordMatches(user?.passwordHash, password);
    if (!user || !matches || !user.isEnabled) {
      throw invalidCredentials('The e-mail address or the password is wrong.');
    }
    if (isOutdated(user.passwordHash)) await replaceHash(db, user, await hashPassword(password));
    return openSession(db, deps, user, client);
  });
}
