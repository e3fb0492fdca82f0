import { advisoryLocks, statement } from '@canvass/postgres';

export interface LimitRow {
  quota: string;
  most: string;
}

export const findLimits = statement<{ tenantId: string }, LimitRow>(
  'quotas_find_limits',
  'select quota, most from quota_limits where tenant_id = $tenantId',
);

/**
 * The limit of the tenant, or null, under a lock that the transaction keeps: changes of what one quota counts
 * follow each other, so that the next one counts what this one has added.
 */
export const lockQuota = statement<{ tenantId: string; quota: string }, { most: string | null }>(
  'quotas_lock',
  `select (select most from quota_limits where tenant_id = $tenantId::bigint and quota = $quota) as most
   from (select pg_advisory_xact_lock(${advisoryLocks.quota},
     hashtext(concat_ws(' ', current_schema(), $tenantId::text, $quota::text)))) locked`,
);

export const setLimit = statement<{ tenantId: string; quota: string; most: string }>(
  'quotas_set_limit',
  `insert into quota_limits as l (tenant_id, quota, most) values ($tenantId, $quota, $most)
   on conflict (tenant_id, quota) do update set most = excluded.most, set_at = now()`,
);

export const resetLimit = statement<{ tenantId: string; quota: string }, { most: string }>(
  'quotas_reset_limit',
  'delete from quota_limits where tenant_id = $tenantId and quota = $quota returning most',
);

/** Tenants with a limit of their own. */
export const findTenants = statement<void, { tenantId: string }>(
  'quotas_find_tenants',
  'select distinct tenant_id as "tenantId" from quota_limits order by 1',
);
