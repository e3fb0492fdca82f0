import type { CountUses, QuotaRules, Quotas } from '@canvass/quotas';
import { countImports, countItems, countLists } from './uses.sql';

/** The quotas of this service. The defaults are far above ordinary use. */
export const quotaRules = {
  dataLists: { otherwise: 10_000, counts: 'data lists of a tenant' },
  listItems: { otherwise: 100_000_000, counts: 'current items in all data lists of a tenant' },
  stagedImports: { otherwise: 20, counts: 'staged imports of a tenant that are not applied' },
} as const satisfies QuotaRules;

export type ListQuotas = Quotas<typeof quotaRules>;

export const countUses: CountUses<typeof quotaRules> = async (db, tenantId) => {
  const [lists] = await db.query(countLists({ tenantId }));
  const [items] = await db.query(countItems({ tenantId }));
  const [imports] = await db.query(countImports({ tenantId }));
  return {
    dataLists: Number(lists!.used),
    listItems: Number(items!.used),
    stagedImports: Number(imports!.used),
  };
};
