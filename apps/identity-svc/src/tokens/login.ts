import { recordAudit } from '@canvass/audit';
import { Problem } from '@canvass/errors';
import type { Queryable } from '@canvass/postgres';
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
import { recordRefusal } from './record-refusal';
import { requireSecondFactor } from './second-factor';
import { invalidCredentials, openSession, type OpenedSession } from './session';
import { guardSignIn } from './sign-in-attempts';

/** The request body of a sign-in. */
export interface Login {
  email: string;
  password: string;
  /** Id or name of the tenant; without it the user may be of any tenant. */
  tenant?: string;
  /** Of the second factor: six digits, or a recovery code. */
  code?: string;
}

/**
 * Signs a user in. An unknown address, a wrong password and a disabled user get the same 401 in the same
 * time.
 *
 * @throws {Problem} `invalid_credentials`; `tenant_required` if address and password belong to users of
 * several tenants; `second_factor_required`; `too_many_requests` after too many attempts;
 * `service_unavailable` during too many sign-ins
 */
export async function login(deps: TokenDeps, body: Login, client: Client): Promise<OpenedSession> {
  const { db, settings } = deps;
  const attempt = { account: `user:${body.email}`, client };
  const signingIn = guardSignIn(db, settings.SignIn, attempt, async () => {
    const user = await userOf(db, body);
    await requireSecondFactor(deps, user, body.code);
    if (isOutdated(user.passwordHash)) await replaceHash(db, user, await hashPassword(body.password));
    const { tenantId, id } = user;
    return db.transaction(async (tx) => {
      await recordAudit(tx, { tenantId, object: ['user', id], actor: ownActor('user', id) });
      return openSession(tx, deps, user, client);
    });
  });
  return signingIn.catch(async (error: unknown) => {
    const named = () => credentialsByEmail(db, body.email, body.tenant ?? null);
    await recordRefusal(db, error, { action: 'session.refused', type: 'user', named });
    throw error;
  });
}

async function userOf(db: Queryable, { email, password, tenant }: Login): Promise<UserCredentials> {
  const found = await matching(db, { email, password, ...(tenant === undefined ? {} : { tenant }) });
  const [user, other] = found.filter(({ isEnabled }) => isEnabled);
  if (!user) throw invalidCredentials('The e-mail address or the password is wrong.');
  // No hint for others: the password was right.
  if (other) throw new Problem('tenant_required');
  return user;
}

/**
 * The users with that address and password. Without a tenant at least two passwords are checked if there are
 * several tenants: the time must not show the administrator of one tenant that an address is also in another.
 */
async function matching(db: Queryable, { email, password, tenant }: Login): Promise<UserCredentials[]> {
  const users = await credentialsByEmail(db, email, tenant ?? null);
  const least = tenant === undefined && (await hasSeveralTenants(db)) ? 2 : 1;
  const fillers = Array.from({ length: Math.max(0, least - users.length) }, () => undefined);
  const checked = await Promise.all(
    [...users, ...fillers].map(async (user) =>
      (await passwordMatches(user?.passwordHash, password)) && user ? [user] : [],
    ),
  );
  return checked.flat();
}
