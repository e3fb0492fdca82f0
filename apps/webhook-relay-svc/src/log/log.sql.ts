import type { BodyShape } from '../event-bytes';
import type { WebhookEventKind } from '@canvass/contracts';
import { kx, statement, type KeySource } from '@canvass/postgres';
import type { Knex } from 'knex';
import { dueAgain } from '../due-again.sql';
import type { LoggedAttempt } from '../pipeline';
import type { DeliveryStatus } from './delivery-filter';
import { logged, untried, type FoundFilter } from './delivery-filter.sql';

/** A delivery as lists show it. */
export interface DeliveryView {
  id: string;
  messageId: string;
  endpointId: string;
  eventName: string;
  entityId: string;
  formId: string | null;
  status: DeliveryStatus;
  attemptCount: number;
  nextAttemptAt: Date | null;
  lastOutcome: string | null;
  lastStatusCode: number | null;
  lastAttemptAt: Date | null;
  occurredAt: Date;
  createdAt: Date;
  finishedAt: Date | null;
}

/** Columns of the log, and the values of a waiting delivery that has no row there yet. */
const columns: Record<keyof DeliveryView, readonly [column: string, untried?: string]> = {
  id: ['id'],
  messageId: ['message_id'],
  endpointId: ['endpoint_id'],
  eventName: ['event_name'],
  entityId: ['entity_id'],
  formId: ['form_id'],
  status: ['status', `'pending'`],
  attemptCount: ['attempt_count', '0'],
  nextAttemptAt: ['next_attempt_at', 'due_at'],
  lastOutcome: ['last_outcome', 'null::text'],
  lastStatusCode: ['last_status_code', 'null::integer'],
  lastAttemptAt: ['last_attempt_at', 'null::timestamptz'],
  occurredAt: ['occurred_at'],
  createdAt: ['created_at'],
  finishedAt: ['finished_at', 'null::timestamptz'],
};
const selected = (valueOf: (column: string, untried: string) => string) =>
  Object.entries(columns)
    .map(([name, [column, untried = column]]) => `${valueOf(column, untried)} as "${name}"`)
    .join(', ');
const ofLoggedAndDue = selected((column) =>
  column === 'next_attempt_at'
    ? '(select w.due_at from waiting w where w.tenant_id = deliveries.tenant_id and w.id = deliveries.id)'
    : column,
);
const ofUntried = selected((_, untried) => untried);

/** The sources of pages: the log, and the waiting deliveries that are not in it yet. */
export const deliverySources = (filter: FoundFilter): KeySource[] => [
  sourceOf(logged(filter).select(kx.raw(ofLoggedAndDue))),
  sourceOf(untried(filter).select(kx.raw(ofUntried))),
];

/** All deliveries of a filter, oldest first. */
export const allDeliveries = (filter: FoundFilter, limit: number): Knex.QueryBuilder =>
  kx
    .from(logged(filter).select(kx.raw(ofLoggedAndDue)).as('logged'))
    .unionAll([kx.from(untried(filter).select(kx.raw(ofUntried)).as('untried'))])
    .orderBy('id')
    .limit(limit);

function sourceOf(query: Knex.QueryBuilder): KeySource {
  const { sql, bindings } = query.toSQL().toNative();
  return { text: sql, values: bindings };
}

interface Delivery {
  tenantId: string;
  id: string;
}

const isIt = 'd.tenant_id = $tenantId and d.id = $id';

/** What the present settings send of its message; the whole message if they send none. */
export const findDelivery = statement<
  Delivery,
  DeliveryView & BodyShape & { body: Buffer; attempts: LoggedAttempt[] | null }
>(
  'find_delivery',
  `select ${selected((column) => `d.${column}`)}, m.body, coalesce(t.payload, 'full') as payload,
     coalesce(t.format, 'canvass') as format, newest_attempts(log.attempts) as attempts
   from delivery_log d
   join messages m on m.tenant_id = d.tenant_id and m.id = d.message_id
   cross join lateral target_of(d.tenant_id, d.endpoint_id, d.event_name) t
   left join deliveries log on log.tenant_id = d.tenant_id and log.id = d.id
   where ${isIt}`,
);

/** A message as it was stored. */
export interface MessageRow {
  id: string;
  eventName: string;
  entity: WebhookEventKind['entity'];
  action: string;
  occurredAt: Date;
  createdAt: Date;
  traceparent: string | null;
  body: Buffer;
}

export const findMessage = statement<Delivery, MessageRow>(
  'find_message',
  `select id, event_name as "eventName", entity, action, occurred_at as "occurredAt", created_at as "createdAt",
          traceparent, body
   from messages where tenant_id = $tenantId and id = $id`,
);

/** The endpoint of a delivery whose message is kept, and whether its data was erased. */
export const findEndpointOf = statement<Delivery, { endpointId: string; isErased: boolean }>(
  'find_endpoint_of_delivery',
  `select d.endpoint_id as "endpointId", m.action <> 'deleted' and exists (
       select from erasures x where x.tenant_id = d.tenant_id and x.entity_id = d.entity_id
         and x.event_id > d.message_id and x.answers = 'deleted') as "isErased"
   from delivery_log d
   join messages m on m.tenant_id = d.tenant_id and m.id = d.message_id
   where ${isIt}`,
);

/** Due now, unless it is in flight or its endpoint is removed or disabled. Lock the endpoint before. */
export const resend = statement<
  Delivery & { endpointId: string },
  { isRemoved: boolean; isDisabled: boolean; isResent: boolean }
>(
  'resend',
  `with endpoint as (
     select e.removed_at is not null as "isRemoved", e.disabled_at is not null as "isDisabled"
     from endpoints e where e.tenant_id = $tenantId and e.id = $endpointId
   ), batch as (
     select d.* from endpoint e cross join delivery_log d where ${isIt} and not (e."isRemoved" or e."isDisabled")
   ), ${dueAgain}
   select endpoint.*, exists (select from resent) as "isResent" from endpoint`,
);
