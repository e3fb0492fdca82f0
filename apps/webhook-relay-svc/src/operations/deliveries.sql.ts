import { statement } from '@canvass/postgres';
import type { DeliveryView } from '../log';

/** A delivery of any tenant, without its message. */
export type OperatedDeliveryRow = DeliveryView & { tenantId: string };

interface Chosen {
  tenantId: string | undefined;
  endpointId: string | undefined;
  limit: string;
}

/** Reads the newest of each endpoint, because every index of the log begins with tenant and endpoint. */
const newest = (condition: string) =>
  `select shown.* from endpoints e cross join lateral (
     select tenant_id as "tenantId", id, message_id as "messageId", endpoint_id as "endpointId",
            event_name as "eventName", entity_id as "entityId", form_id as "formId", status,
            attempt_count as "attemptCount", last_outcome as "lastOutcome", last_status_code as "lastStatusCode",
            last_attempt_at as "lastAttemptAt", next_attempt_at as "nextAttemptAt",
            occurred_at as "occurredAt", created_at as "createdAt", finished_at as "finishedAt"
     from delivery_log d
     where d.tenant_id = e.tenant_id and d.endpoint_id = e.id and ${condition}
     order by d.id desc limit $limit) shown
   where ($tenantId::bigint is null or e.tenant_id = $tenantId) and ($endpointId::bigint is null or e.id = $endpointId)
   order by shown.id desc limit $limit`;

export const listOperatedDeliveries = statement<Chosen, OperatedDeliveryRow>(
  'list_operated_deliveries',
  newest('true'),
);

export const listFailedDeliveries = statement<Chosen, OperatedDeliveryRow>(
  'list_failed_deliveries',
  newest(`d.status in ('failed', 'dead')`),
);

/** Ids of deliveries are unique over all tenants. */
export const findTenantOfDelivery = statement<{ id: string }, { tenantId: string }>(
  'find_tenant_of_delivery',
  'select tenant_id as "tenantId" from delivery_log where id = $id',
);
