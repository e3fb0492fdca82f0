import { noTenant, recordAudit } from '@canvass/audit';
import type { Queryable } from '@canvass/postgres';

export interface Refusal {
  action: `${string}.refused`;
  type: 'user' | 'service_account';
}

/**
 * Records a failed attempt in the tenant of each account; of a name without an account in no tenant, and
 * without the name, which may be a password in the wrong field. Requests that were rejected without a check
 * of the credentials are not recorded, so that a flood of them does not fill the trail.
 */
export async function recordRefusal(
  db: Queryable,
  { action, type }: Refusal,
  accounts: readonly { tenantId: string; id: string | null }[],
): Promise<void> {
  for (const { tenantId, id } of accounts) await recordAudit(db, { tenantId, object: [type, id], action });
}

/** Stands for the account of a name that no account has. */
export const noAccount = { tenantId: noTenant, id: null };
