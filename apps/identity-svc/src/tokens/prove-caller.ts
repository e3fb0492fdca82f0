import { invalidToken, ownProvider, type Principal } from '@canvass/auth';
import { brokenRule, Problem, validationProblem } from '@canvass/errors';
import Joi from 'joi';
import { useCode } from '../second-factor';
import { credentialsById, passwordMatches, type UserCredentials } from '../users';
import type { Client } from './client';
import type { TokenDeps } from './deps';
import { accountKey, guardCode, guardSignIn, nameKey } from './sign-in-attempts';

/** A new proof of who calls: a stolen access token is not enough to change how its user signs in. */
export interface OwnProof {
  currentPassword: string;
  /** The code, if the caller has a second factor. */
  code?: string;
}

/** Members of the body of each operation that asks for a proof. */
export const proofMembers: Joi.StrictSchemaMap<OwnProof> = {
  currentPassword: Joi.string()
    .max(1000)
    .required()
    .description('the current password')
    .example('correct horse battery'),
  code: Joi.string()
    .trim()
    .max(40)
    .description('of the second factor, if the caller has one: six digits, or a recovery code'),
};

/**
 * Returns whether it is a code of the second factor of a user whose password was right. Uses the code up.
 *
 * @throws {Problem} `too_many_requests` after too many wrong ones
 */
export const isRightCode = (
  { db, box }: Pick<TokenDeps, 'db' | 'box'>,
  user: UserCredentials,
  code: string,
): Promise<boolean> =>
  guardCode(db, accountKey(user), () => useCode(db, box, { tenantId: user.tenantId, userId: user.id }, code));

/** The user of a token. @throws {Problem} `permission_denied` for callers who do not sign in here */
export async function callingUser(
  { db }: Pick<TokenDeps, 'db'>,
  { provider, kind, tenantId, subject }: Principal,
): Promise<UserCredentials> {
  if (provider !== ownProvider || kind !== 'user')
    throw new Problem('permission_denied', { detail: 'Only users who sign in here have an account here.' });
  const user = await credentialsById(db, tenantId, subject);
  if (!user?.isEnabled) throw invalidToken('The user of the token is deleted or disabled.');
  return user;
}

/**
 * Checks the password, and the code if there is a second factor. Attempts count like sign-in attempts, so
 * that a stolen access token cannot bypass the throttle.
 *
 * @throws {Problem} `validation_failed` that names what is missing or wrong (no 401: the token is valid),
 * `too_many_requests`
 */
export async function proveCaller(
  deps: TokenDeps,
  user: UserCredentials,
  { currentPassword, code }: OwnProof,
  client: Client,
): Promise<void> {
  const { db, settings } = deps;
  // Before the password is compared: the response must not show that it was right.
  if (user.hasSecondFactor && code === undefined)
    throw validationProblem({ code: [brokenRule('code.required')] });
  const names = [nameKey(user.email), accountKey(user)];
  await guardSignIn(db, settings.SignIn, { names, client }, async () => {
    if (!(await passwordMatches(user.passwordHash, currentPassword)))
      throw validationProblem({ currentPassword: [brokenRule('password.wrong')] });
    if (user.hasSecondFactor && !(await isRightCode(deps, user, code!)))
      throw validationProblem({ code: [brokenRule('code.wrong')] });
    return { result: undefined };
  });
}
