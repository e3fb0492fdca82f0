import { difference, recordAudit } from '@canvass/audit';
import { ownProvider } from '@canvass/auth';
import { notFound, Problem } from '@canvass/errors';
import type { Database, Tx } from '@canvass/postgres';
import { assertIfMatch, type IfMatch } from '@canvass/service-kit';
import { revokeAll, revokeUserTokens } from '../revocations';
import { deleteOwned } from '../views';
import { assertNotGuessable } from './password-rules';
import { hashPassword } from './passwords';
import type { User, UserChange } from './user';
import { countAdministrators, deleteUser, lockUser, updateUser } from './users.sql';

/**
 * Changes a user. A new password or disabling ends the user's sessions; a new address or new roles end the
 * access tokens, and the next refresh returns the new ones. `ifMatch` makes it conditional. Throws 404, 412,
 * or 409 for the last administrator of the tenant or a used address, 400 for a password that can be guessed.
 */
export async function changeUser(
  db: Database,
  tenantId: string,
  id: string,
  { password, ...change }: UserChange,
  ifMatch: IfMatch,
): Promise<User> {
  // Before the transaction, because hashing takes longer than a lock should be held.
  const passwordHash = password === undefined ? undefined : await hashPassword(password);
  return db.transaction(async (tx) => {
    const before = await lockedUser(tx, tenantId, id, ifMatch);
    if (password !== undefined)
      await assertNotGuessable(tx, 'password', password, { ...before, ...change, tenantId });
    const after = await updateUser(tx, tenantId, id, {
      ...change,
      ...(passwordHash === undefined ? {} : { passwordHash }),
    });
    if (administers(before) && !administers(after)) await requireAdministrator(tx, tenantId);
    const endsTokens =
      passwordHash !== undefined ||
      change.isEnabled === false ||
      before.email !== after.email ||
      !sameRoles(before, after);
    if (endsTokens) await revokeUserTokens(tx, tenantId, id);
    await recordChange(tx, tenantId, [before, after], passwordHash !== undefined);
    return after;
  });
}

/**
 * Deletes a user and its refresh tokens. Throws 404, 412, or 409 for the last administrator of the tenant.
 */
export async function removeUser(
  db: Database,
  tenantId: string,
  id: string,
  ifMatch: IfMatch,
): Promise<void> {
  await db.transaction(async (tx) => {
    const before = await lockedUser(tx, tenantId, id, ifMatch);
    await deleteUser(tx, tenantId, id);
    await tx.query(deleteOwned({ tenantId, provider: ownProvider, subject: id }));
    await revokeAll(tx, 'user', id);
    if (administers(before)) await requireAdministrator(tx, tenantId);
    await recordAudit(tx, { tenantId, object: ['user', id], before: { roles: before.roles } });
  });
}

/** Address and name are personal data: the trail has only that they changed. */
async function recordChange(
  tx: Tx,
  tenantId: string,
  [before, after]: [User, User],
  hasNewPassword: boolean,
): Promise<void> {
  const shown = difference(before, after, ['roles', 'isEnabled']);
  const changed = (['email', 'name'] as const).filter((member) => before[member] !== after[member]);
  const hidden = [...changed, ...(hasNewPassword ? ['password'] : [])];
  if (shown === null && hidden.length === 0) return;
  const also = hidden.length === 0 ? {} : { changed: hidden };
  await recordAudit(tx, {
    tenantId,
    object: ['user', after.id],
    before: shown?.before ?? null,
    after: { ...shown?.after, ...also },
  });
}

async function lockedUser(tx: Tx, tenantId: string, id: string, ifMatch: IfMatch): Promise<User> {
  const user = await lockUser(tx, tenantId, id);
  if (!user) throw notFound('user', id);
  assertIfMatch(ifMatch, user.revision);
  return user;
}

const sameRoles = (one: User, other: User) =>
  one.roles.length === other.roles.length && one.roles.every((role) => other.roles.includes(role));

const administers = ({ isEnabled, roles }: User) => isEnabled && roles.includes('Admin');

async function requireAdministrator(tx: Tx, tenantId: string): Promise<void> {
  if ((await countAdministrators(tx, tenantId)) > 0) return;
  throw new Problem('conflict', {
    detail: 'This is the last administrator. Give another user the role Admin first.',
  });
}
