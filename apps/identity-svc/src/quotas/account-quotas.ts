import type { CountUses, QuotaRules, Quotas } from '@canvass/quotas';
import { countServiceAccounts, countUsers } from './uses.sql';

/** The quotas of this service. The defaults are far above ordinary use. */
export const quotaRules = {
  users: { otherwise: 10_000, counts: 'users of a tenant' },
  serviceAccounts: { otherwise: 1_000, counts: 'service accounts of a tenant' },
} as const satisfies QuotaRules;

export type AccountQuotas = Quotas<typeof quotaRules>;

export const countUses: CountUses<typeof quotaRules> = async (db, tenantId) => {
  const [users] = await db.query(countUsers({ tenantId }));
  const [serviceAccounts] = await db.query(countServiceAccounts({ tenantId }));
  return { users: Number(users!.used), serviceAccounts: Number(serviceAccounts!.used) };
};
