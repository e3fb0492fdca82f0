import { recordAudit } from '@canvass/audit';
import { Problem } from '@canvass/errors';
import { hasSeveralTenants } from '../tenants';
import {
  credentialsByEmail,
  hashPassword,
  isOutdated,
  passwordMatches,
  replaceHash,
  type UserCredentials,
} from '../users';
import type { Client } from './client';
import type { TokenDeps } from './deps';
import { ownActor } from './own-actor';
import { noAccount, recordRefusal } from './record-refusal';
import { isRightCode } from './prove-caller';
import { invalidCredentials, openSession, type OpenedSession } from './session';
import { accountKey, guardSignIn, nameKey } from './sign-in-attempts';

/** The request body of a sign-in. */
export interface Login {
  email: string;
  password: string;
  /** Id or name of the tenant; without it the user may be of any tenant. */
  tenant?: string;
  /** The code of the second factor: six digits, or a recovery code. */
  code?: string;
}

/**
 * The number of passwords compared without a tenant if there are several, whatever accounts there are:
 * neither time nor result shows to the administrator of one tenant who is a user of another.
 */
const comparedWithoutTenant = 2;

/**
 * Signs a user in. An unknown address, a wrong password and a disabled user get the same 401 in the same
 * time. Without a tenant, only users who proved their mailbox take part, unless there is one tenant.
 *
 * @throws {Problem} `invalid_credentials`; `tenant_required` if address and password belong to users of
 * several tenants; `second_factor_required`; `too_many_requests` after too many attempts;
 * `service_unavailable` during too many sign-ins
 */
export async function login(deps: TokenDeps, body: Login, client: Client): Promise<OpenedSession> {
  const { db, settings } = deps;
  const { email, password, tenant } = body;
  const isAmbiguous = tenant === undefined && (await hasSeveralTenants(db));
  const compared = isAmbiguous ? comparedWithoutTenant : 1;
  const found = await credentialsByEmail(db, email, tenant ?? null);
  const users = found.filter((user) => user.isMailboxProved || !isAmbiguous).slice(0, compared);
  const name = nameKey(email, tenant);
  const fillers = Array.from({ length: compared - users.length }, (_, at) => `${name} ${at}`);
  const attempt = { names: [name], accounts: [...users.map(accountKey), ...fillers], client };

  return guardSignIn(db, settings.SignIn, attempt, async (isOpen) => {
    const open = users.filter((user) => isOpen(accountKey(user)));
    const { right, problem } = await decide(deps, await matching(open, compared, password), body);
    const refused = users.length === 0 ? [noAccount] : open.filter((user) => !right.includes(user));
    await recordRefusal(db, { action: 'session.refused', type: 'user' }, refused);
    const [user] = right;
    if (problem && !user) throw problem;
    const keys = right.map(accountKey);
    if (problem || !user) return { right: keys, problem: problem! };
    if (isOutdated(user.passwordHash)) await replaceHash(db, user, await hashPassword(password));
    const { tenantId, id } = user;
    const result = await db.transaction(async (tx) => {
      await recordAudit(tx, { tenantId, object: ['user', id], actor: ownActor('user', id) });
      return openSession(tx, deps, user, client);
    });
    return { right: keys, result };
  });
}

/** The users with that password. As many passwords are checked as there could be users. */
async function matching(users: UserCredentials[], compared: number, password: string) {
  const places = Array.from({ length: compared }, (_, at) => users[at]);
  const checked = await Promise.all(
    places.map(async (user) => ((await passwordMatches(user?.passwordHash, password)) && user ? [user] : [])),
  );
  return checked.flat().filter(({ isEnabled }) => isEnabled);
}

/** The one who signs in. With a problem: the one who gave the right password and has to give a code. */
interface Decision {
  right: UserCredentials[];
  problem?: Problem;
}

/**
 * A password that is right for several users is a success of none. Their second factors come first: without a
 * code, the response does not show how many users there are.
 */
async function decide(
  deps: TokenDeps,
  matched: UserCredentials[],
  { tenant, code }: Login,
): Promise<Decision> {
  const withFactor = matched.filter(({ hasSecondFactor }) => hasSecondFactor);
  if (withFactor.length > 0 && code === undefined)
    return { right: matched, problem: new Problem('second_factor_required') };
  const right = withFactor.length === 0 ? matched : [];
  for (const user of withFactor) if (await isRightCode(deps, user, code!)) right.push(user);
  if (right.length > 1) return { right: [], problem: new Problem('tenant_required') };
  if (right.length === 1) return { right };
  const what = tenant === undefined ? 'is wrong, or the tenant has to be named.' : 'is wrong.';
  const detail =
    matched.length === 0
      ? `The e-mail address or the password ${what}`
      : 'The code of the second factor is wrong or was used before.';
  return { right, problem: invalidCredentials(detail) };
}
