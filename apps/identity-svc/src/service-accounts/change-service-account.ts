import { difference, recordAudit } from '@canvass/audit';
import { notFound } from '@canvass/errors';
import type { Database, Transactor, Tx } from '@canvass/postgres';
import { assertIfMatch, type IfMatch } from '@canvass/service-kit';
import { revokeAll, revokeServiceTokens } from '../revocations';
import {
  newClientSecret,
  secretHash,
  type ServiceAccount,
  type ServiceAccountChange,
} from './service-account';
import {
  deleteServiceAccount,
  lockServiceAccount,
  replaceSecret,
  updateServiceAccount,
} from './service-accounts.sql';

/**
 * Changes a service account. Disabling it, another expiry, new roles and new forms end its access tokens.
 * `ifMatch` makes it conditional. Throws 404 or 412.
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
    const endsTokens =
      change.isEnabled === false ||
      change.expiresAt !== undefined ||
      !sameSet(before.roles, after.roles) ||
      !sameSet(before.formIds, after.formIds);
    if (endsTokens) await revokeServiceTokens(tx, tenantId, id);
    const changes = difference(before, after, ['name', 'roles', 'isEnabled', 'expiresAt', 'formIds']);
    if (changes) await recordAudit(tx, { tenantId, object: ['service_account', id], ...changes });
    return after;
  });
}

const sameSet = (one: readonly string[] | null, other: readonly string[] | null): boolean =>
  (one === null) === (other === null) && [...(one ?? [])].sort().join() === [...(other ?? [])].sort().join();

/**
 * Replaces the secret of a service account. The one before stays valid for the overlap; without an overlap
 * its access tokens end, too. Throws 404 or 412.
 */
export async function rotateSecret(
  db: Transactor,
  tenantId: string,
  id: string,
  overlapSeconds: number,
  ifMatch: IfMatch,
): Promise<ServiceAccount & { clientSecret: string }> {
  const clientSecret = newClientSecret();
  return db.transaction(async (tx) => {
    await lockedAccount(tx, tenantId, id, ifMatch);
    const account = await replaceSecret(tx, tenantId, id, secretHash(clientSecret), overlapSeconds);
    if (overlapSeconds === 0) await revokeServiceTokens(tx, tenantId, id);
    await recordAudit(tx, { tenantId, object: ['service_account', id], after: { overlapSeconds } });
    return { ...account, clientSecret };
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
    await recordAudit(tx, { tenantId, object: ['service_account', id] });
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
