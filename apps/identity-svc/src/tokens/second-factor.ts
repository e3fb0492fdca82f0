import { recordAudit } from '@canvass/audit';
import { ownProvider, type Principal } from '@canvass/auth';
import { notFound, Problem, validationProblem } from '@canvass/errors';
import { revokeAll } from '../revocations';
import {
  beginSecondFactor,
  confirmSecondFactor,
  newRecoveryCodes,
  randomBase32,
  recoveryHash,
  removeSecondFactor,
  sealedFor,
  selectSecondFactor,
  stepOfCode,
  totpAddress,
  useCode,
} from '../second-factor';
import { revokeSessions } from '../sessions';
import { credentialsById, passwordMatches, type UserCredentials } from '../users';
import type { Client } from './client';
import type { TokenDeps } from './deps';
import { guardCode, guardSignIn } from './sign-in-attempts';
import { invalidCredentials } from './session';

/** The second factor of the caller in the API. */
export interface SecondFactorState {
  isEnabled: boolean;
  /** A role of the caller requires it. */
  isRequired: boolean;
  recoveryCodesLeft: number;
}

/** What an authenticator app needs. */
export interface SecondFactorSecret {
  secret: string;
  otpauthUri: string;
}

/** 160 bits, as RFC 4226 recommends. */
const secretLength = 32;

/**
 * Checks the second factor of a user whose password was right.
 *
 * @throws {Problem} `second_factor_required` without a code, `invalid_credentials` for a wrong one,
 * `too_many_requests` after too many wrong ones
 */
export async function requireSecondFactor(
  { db, box }: Pick<TokenDeps, 'db' | 'box'>,
  { tenantId, id, hasSecondFactor }: UserCredentials,
  code: string | undefined,
): Promise<void> {
  if (!hasSecondFactor) return;
  if (code === undefined) throw new Problem('second_factor_required');
  await guardCode(db, id, async () => {
    if (await useCode(db, box, { tenantId, userId: id }, code)) return;
    throw invalidCredentials('The code of the second factor is wrong or was used before.');
  });
}

export async function secondFactorOf(deps: TokenDeps, caller: Principal): Promise<SecondFactorState> {
  const user = await userOf(deps, caller);
  const factor = await selectSecondFactor(deps.db, keyOf(user));
  return {
    isEnabled: factor?.isConfirmed ?? false,
    isRequired: user.roles.some((role) => deps.settings.SignIn.SecondFactorRoles.includes(role)),
    recoveryCodesLeft: factor?.recoveryCodesLeft ?? 0,
  };
}

/**
 * Makes a secret for the caller. It has no effect until the first code confirms it.
 *
 * @throws {Problem} `conflict` if the caller has a second factor, `validation_failed` for a wrong password
 */
export async function beginSetUp(
  deps: TokenDeps,
  caller: Principal,
  currentPassword: string,
  client: Client,
): Promise<SecondFactorSecret> {
  const user = await userOf(deps, caller);
  await requirePassword(deps, user, currentPassword, client);
  const secret = randomBase32(secretLength);
  const sealed = deps.box.seal(secret, sealedFor(user.id));
  if (!(await beginSecondFactor(deps.db, keyOf(user), sealed)))
    throw new Problem('conflict', { detail: 'There is a second factor; remove it first.' });
  return { secret, otpauthUri: totpAddress(secret, 'Canvass', user.email) };
}

/**
 * Confirms the secret with its first code, ends all other sessions and returns the recovery codes.
 *
 * @throws {Problem} `conflict` if no set-up was begun, `validation_failed` for a wrong code
 */
export async function confirmSetUp(deps: TokenDeps, caller: Principal, code: string): Promise<string[]> {
  const { db, box } = deps;
  const user = await userOf(deps, caller);
  const factor = await selectSecondFactor(db, keyOf(user));
  const notBegun = () => new Problem('conflict', { detail: 'There is no set-up to confirm.' });
  if (!factor || factor.isConfirmed) throw notBegun();
  const step = stepOfCode(box.open(factor.secret, sealedFor(user.id)), code.replace(/\s/g, ''), Date.now());
  if (step === undefined) throw validationProblem({ code: ['is wrong'] });
  const codes = newRecoveryCodes();
  const confirmed = { secret: factor.secret, step, hashes: codes.map(recoveryHash) };
  await db.transaction(async (tx) => {
    if (!(await confirmSecondFactor(tx, keyOf(user), confirmed))) throw notBegun();
    const { sid } = caller.claims;
    const except = typeof sid === 'string' ? sid : null;
    for (const id of await revokeSessions(tx, user.tenantId, user.id, { except }))
      await revokeAll(tx, 'session', id);
    await recordAudit(tx, { tenantId: user.tenantId, object: ['user', user.id] });
  });
  return codes;
}

/** Removes the second factor of the caller. @throws {Problem} `not_found`, `validation_failed` */
export async function removeOwn(
  deps: TokenDeps,
  caller: Principal,
  currentPassword: string,
  client: Client,
): Promise<void> {
  const user = await userOf(deps, caller);
  await requirePassword(deps, user, currentPassword, client);
  await deps.db.transaction(async (tx) => {
    if (!(await removeSecondFactor(tx, keyOf(user)))) throw notFound('second factor', user.id);
    await recordAudit(tx, { tenantId: user.tenantId, object: ['user', user.id] });
  });
}

const keyOf = ({ tenantId, id }: UserCredentials) => ({ tenantId, userId: id });

async function userOf({ db }: TokenDeps, { provider, kind, tenantId, subject }: Principal) {
  const isUser = provider === ownProvider && kind === 'user';
  const user = isUser ? await credentialsById(db, tenantId, subject) : undefined;
  if (!user) throw new Problem('permission_denied', { detail: 'Only users who sign in here have one.' });
  return user;
}

/** A stolen access token is not enough to change how its user signs in. */
async function requirePassword(
  { db, settings }: TokenDeps,
  { email, passwordHash }: UserCredentials,
  currentPassword: string,
  client: Client,
): Promise<void> {
  await guardSignIn(db, settings.SignIn, { account: `user:${email}`, client }, async () => {
    if (!(await passwordMatches(passwordHash, currentPassword)))
      throw validationProblem({ currentPassword: ['is wrong'] });
  });
}
