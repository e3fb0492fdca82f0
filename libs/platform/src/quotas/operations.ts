import { notFound, Problem } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import type { Operation } from '@canvass/service-kit';
import { findTenants, resetLimit, setLimit } from './limits.sql';
import { readQuotas, type CountUses } from './quotas';
import { defaultsOf, maxLimit, type QuotaRules, type QuotaSettings } from './rules';

const tenant = { about: 'Id of the tenant.', kind: 'id', isRequired: true } as const;
const quota = {
  about: 'Name of the quota, as `quotas list` shows it.',
  kind: 'text',
  isRequired: true,
} as const;

/** The operator commands of the quotas of a service. */
export function quotaOperations<R extends QuotaRules>(
  service: string,
  db: Database,
  { rules, settings, countUses }: { rules: R; settings: QuotaSettings<R>; countUses: CountUses<R> },
): Operation[] {
  const sources = { rules, countUses, defaults: defaultsOf(rules, settings) };
  const assertOwned = (name: string) => {
    if (!Object.hasOwn(rules, name)) throw notFound('quota', name);
  };
  const view = async (tenantId: string) =>
    (await readQuotas(db, sources, tenantId)).map(({ name, limit, used, ...state }) => ({
      service,
      tenantId,
      quota: name,
      limit: limit ?? 'none',
      used,
      ...state,
    }));
  return [
    {
      name: 'quotas list',
      about: 'Limits and use of a tenant, or of all tenants with a limit of their own.',
      options: { tenant: { about: tenant.about, kind: 'id' } },
      async run({ tenant: one }) {
        const tenants = one === undefined ? await db.query(findTenants()) : [{ tenantId: one }];
        const rows = [];
        for (const { tenantId } of tenants) rows.push(...(await view(tenantId)));
        if (rows.length > 0) return { rows };
        const say = `${service}: no tenant has a limit of its own. --tenant shows the limits of one.`;
        return { rows, say };
      },
    },
    {
      name: 'quotas set',
      about: 'Sets a limit of a tenant in place of the configured one.',
      options: { tenant, quota, limit: { about: 'The limit; 0: none.', kind: 'text', isRequired: true } },
      changes: true,
      async run({ tenant: tenantId, quota: name, limit }) {
        assertOwned(name!);
        if (!/^\d{1,16}$/.test(limit!) || Number(limit) > maxLimit)
          throw new Problem('validation_failed', { detail: `--limit must be 0 to ${maxLimit}.` });
        await db.query(setLimit({ tenantId: tenantId!, quota: name!, most: limit! }));
        return { rows: (await view(tenantId!)).filter((row) => row.quota === name) };
      },
    },
    {
      name: 'quotas reset',
      about: 'Removes the limit of a tenant, so that the configured one applies.',
      options: { tenant, quota },
      changes: true,
      async run({ tenant: tenantId, quota: name }) {
        assertOwned(name!);
        const removed = await db.query(resetLimit({ tenantId: tenantId!, quota: name! }));
        return {
          rows: (await view(tenantId!)).filter((row) => row.quota === name),
          ...(removed.length === 0 ? { say: 'The tenant had no limit of its own.' } : {}),
        };
      },
    },
  ];
}
