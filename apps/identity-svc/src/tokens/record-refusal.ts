import { noTenant, recordAudit } from '@canvass/audit';
import { Problem } from '@canvass/errors';
import type { Queryable } from '@canvass/postgres';

export interface Refusal {
  action: `${string}.refused`;
  type: 'user' | 'service_account';
  /** The accounts with the name that was sent. */
  named(): Promise<readonly { tenantId: string; id: string }[]>;
}

/**
 * Records a failed sign-in, in the tenants of the accounts with that name; without an account, in no tenant,
 * and without the name, which may be a password in the wrong field. Requests that were rejected without a
 * check of the credentials are not recorded, so that a flood of them does not fill the trail.
 */
export async function recordRefusal(
  db: Queryable,
  error: unknown,
  { action, type, named }: Refusal,
): Promise<void> {
  if (!(error instanceof Problem) || error.errorCode !== 'invalid_credentials') return;
  const accounts = await named();
  if (accounts.length === 0) return recordAudit(db, { tenantId: noTenant, object: [type, null], action });
  for (const { tenantId, id } of accounts) await recordAudit(db, { tenantId, object: [type, id], action });
}
