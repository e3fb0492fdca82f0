import type { CountUses, QuotaNumbers } from '@canvass/quotas';
import type { quotaRules } from './quota-rules';
import { readUses } from './uses.sql';

/** The uses of a tenant as the database has them: up to a second old. */
export const countUses: CountUses<typeof quotaRules> = async (db, tenantId) => {
  const [row] = await db.query(readUses({ tenantId }));
  const uses = Object.entries(row!).map(([quota, used]) => [quota, Number(used)] as const);
  return Object.fromEntries(uses) as QuotaNumbers<typeof quotaRules>;
};
