import { recordAudit } from '@canvass/audit';
import type { Principal } from '@canvass/auth';
import { brokenRule, notFound, Problem, validationProblem } from '@canvass/errors';
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
} from '../second-factor';
import { revokeSessions } from '../sessions';
import { allowEnrolment, type UserCredentials } from '../users';
import type { Client } from './client';
import type { TokenDeps } from './deps';
import { callingUser, proveCaller, type OwnProof } from './prove-caller';

/** The second factor of the caller in the API. */
export interface SecondFactorState {
  isEnabled: boolean;
  /** A role of the caller requires it. */
  isRequired: boolean;
  recoveryCodesLeft: number;
}

/** The data that an authenticator app needs. */
export interface SecondFactorSecret {
  secret: string;
  otpauthUri: string;
}

const alreadyThere = () => new Problem('conflict', { detail: 'There is a second factor; remove it first.' });

/** 160 bits, as RFC 4226 recommends. */
const secretLength = 32;

export async function secondFactorOf(deps: TokenDeps, caller: Principal): Promise<SecondFactorState> {
  const user = await callingUser(deps, caller);
  const factor = await selectSecondFactor(deps.db, keyOf(user));
  return {
    isEnabled: factor?.isConfirmed ?? false,
    isRequired: isRequired(deps, user),
    recoveryCodesLeft: factor?.recoveryCodesLeft ?? 0,
  };
}

const isRequired = ({ settings }: TokenDeps, { roles }: UserCredentials): boolean =>
  roles.some((role) => settings.SignIn.SecondFactorRoles.includes(role));

/**
 * A required second factor protects from those who know the password, so that the password alone cannot set
 * it up: it must have been set with a link within the hour.
 *
 * @throws {Problem} `permission_denied`
 */
function requireEnrolment(deps: TokenDeps, user: UserCredentials): void {
  if (!isRequired(deps, user) || user.mayEnrol) return;
  throw new Problem('permission_denied', {
    detail:
      'A role of yours requires the second factor. Set a new password with a link, then set it up within an hour. You get a link if you say that you forgot the password, from another administrator, or from the operator.',
  });
}

/**
 * Makes a secret for the caller. It has no effect until the first code confirms it.
 *
 * @throws {Problem} `conflict` if the caller has a second factor, `validation_failed` for a wrong password,
 * `permission_denied` if a role requires it and the password was not set with a link within the hour
 */
export async function beginSetUp(
  deps: TokenDeps,
  caller: Principal,
  proof: OwnProof,
  client: Client,
): Promise<SecondFactorSecret> {
  const user = await callingUser(deps, caller);
  if (user.hasSecondFactor) throw alreadyThere();
  await proveCaller(deps, user, proof, client);
  requireEnrolment(deps, user);
  const secret = randomBase32(secretLength);
  const sealed = deps.box.seal(secret, sealedFor(user.id));
  if (!(await beginSecondFactor(deps.db, keyOf(user), sealed))) throw alreadyThere();
  return { secret, otpauthUri: totpAddress(secret, 'Canvass', user.email) };
}

/**
 * Confirms the secret with its first code, ends all other sessions and returns the recovery codes.
 *
 * @throws {Problem} `conflict` if no set-up was begun, `validation_failed` for a wrong code
 */
export async function confirmSetUp(deps: TokenDeps, caller: Principal, code: string): Promise<string[]> {
  const { db, box } = deps;
  const user = await callingUser(deps, caller);
  requireEnrolment(deps, user);
  const factor = await selectSecondFactor(db, keyOf(user));
  const notBegun = () => new Problem('conflict', { detail: 'There is no set-up to confirm.' });
  if (!factor || factor.isConfirmed) throw notBegun();
  const step = stepOfCode(box.open(factor.secret, sealedFor(user.id)), code.replace(/\s/g, ''), Date.now());
  if (step === undefined) throw validationProblem({ code: [brokenRule('code.wrong')] });
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

/**
 * Removes the second factor of the caller, who may set up another one within an hour.
 *
 * @throws {Problem} `not_found`, `validation_failed`
 */
export async function removeOwn(
  deps: TokenDeps,
  caller: Principal,
  proof: OwnProof,
  client: Client,
): Promise<void> {
  const user = await callingUser(deps, caller);
  await proveCaller(deps, user, proof, client);
  await deps.db.transaction(async (tx) => {
    if (!(await removeSecondFactor(tx, keyOf(user)))) throw notFound('second factor', user.id);
    if (user.hasSecondFactor) await allowEnrolment(tx, user.tenantId, user.id);
    await recordAudit(tx, { tenantId: user.tenantId, object: ['user', user.id] });
  });
}

const keyOf = ({ tenantId, id }: UserCredentials) => ({ tenantId, userId: id });
