import { statement } from '@canvass/postgres';

export const countUsers = statement<{ tenantId: string }, { used: string }>(
  'quotas.count_users',
  'select count(*) as used from users where tenant_id = $tenantId',
);

export const countServiceAccounts = statement<{ tenantId: string }, { used: string }>(
  'quotas.count_service_accounts',
  'select count(*) as used from service_accounts where tenant_id = $tenantId',
);
