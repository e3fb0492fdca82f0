import { advisoryLocks } from '@canvass/postgres';
import type { CountedSet } from '@canvass/range-counts';

export interface TenantKey {
  tenantId: string;
}

/** A waiting delivery is in the log from its first attempt on. */
export const countedDeliveries: CountedSet<TenantKey> = {
  name: 'delivery_counts',
  ranges: 'delivery_counts',
  numbers: 'deliveries',
  changes: 'delivery_count_changes',
  id: 'delivery_id',
  group: { tenant_id: 'tenantId' },
  sources: [
    'select id from deliveries where tenant_id = $tenantId',
    'select id from waiting where tenant_id = $tenantId and attempts = 0',
  ],
  lock: `${advisoryLocks.deliveryCounts}, hashint8($tenantId::bigint)`,
  endsWithDays: true,
};
