import { statement } from '@canvass/postgres';

export const countLists = statement<{ tenantId: string }, { used: string }>(
  'quotas-count-lists',
  'select count(*) as used from data_lists where tenant_id = $tenantId',
);

export const countItems = statement<{ tenantId: string }, { used: string }>(
  'quotas-count-items',
  'select coalesce(sum(items_count), 0) as used from data_lists where tenant_id = $tenantId',
);

export const countImports = statement<{ tenantId: string }, { used: string }>(
  'quotas-count-imports',
  `select count(*) as used from list_imports where tenant_id = $tenantId and state <> 'applied'`,
);
