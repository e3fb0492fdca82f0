import { notFound } from '@canvass/errors';
import type { Database, Tx } from '@canvass/postgres';
import { assertIfMatch, type IfMatch } from '@canvass/service-kit';
import { revokeAll, revokeServiceTokens } from '../revocations';
import type { ServiceAccount, ServiceAccountChange } from './service-account';
import { deleteServiceAccount, lockServiceAccount, updateServiceAccount } from './service-accounts.sql';

/**
 * Changes a service account. Disabling it and new roles end its access tokens. `ifMatch` makes it
 * conditional. Throws 404 or 412.
 */
export async function changeServiceAccount(
  db: Database,
  tenantId: string,
  id: string,
  change: ServiceAccountChange,
  ifMatch: IfMatch,
): Promise<ServiceAccount> {
  return db.transaction(async (tx) => {
    const before = await lockedAccount(tx, tenantId, id, ifMatch);
    const after = await updateServiceAccount(tx, tenantId, id, change);
    const sameRoles = [...before.roles].sort().join() === [...after.roles].sort().join();
    if (change.isEnabled === false || !sameRoles) await revokeServiceTokens(tx, tenantId, id);
    return after;
  });
}

/** Deletes a service account and ends its access tokens. Throws 404 or 412. */
export async function removeServiceAccount(
  db: Database,
  tenantId: string,
  id: string,
  ifMatch: IfMatch,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockedAccount(tx, tenantId, id, ifMatch);
    await deleteServiceAccount(tx, tenantId, id);
    await revokeAll(tx, 'service', id);
  });
}

async function lockedAccount(
  tx: Tx,
  tenantId: string,
  id: string,
  ifMatch: IfMatch,
): Promise<ServiceAccount> {
  const account = await lockServiceAccount(tx, tenantId, id);
  if (!account) throw notFound('service account', id);
  assertIfMatch(ifMatch, account.revision);
  return account;
}
