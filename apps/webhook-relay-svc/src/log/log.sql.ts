import { kx, positionalStatement } from '@canvass/postgres';
import type { Knex } from 'knex';
import { keptAttempts } from '../pipeline';

export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'dead' | 'cancelled';
export const deliveryStatuses: readonly DeliveryStatus[] = [
  'pending',
  'delivered',
  'failed',
  'dead',
  'cancelled',
];

export interface DeliveryRow {
  id: string;
  message_id: string;
  endpoint_id: string;
  event_name: string;
  entity_id: string;
  form_id: string | null;
  status: DeliveryStatus;
  attempt_count: number;
  next_attempt_at: Date | null;
  last_outcome: string | null;
  last_status_code: number | null;
  last_attempt_at: Date | null;
  occurred_at: Date;
  created_at: Date;
  finished_at: Date | null;
}

export interface DeliveryFilter {
  tenantId: string;
  endpointId?: string;
  formId?: string;
  entityId?: string;
  eventName?: string;
  status?: DeliveryStatus;
  /** When the delivery was made: `from` inclusive, `to` exclusive. */
  from?: Date;
  to?: Date;
}

const columns = [
  'id',
  'message_id',
  'endpoint_id',
  'event_name',
  'entity_id',
  'form_id',
  'status',
  'attempt_count',
  'next_attempt_at',
  'last_outcome',
  'last_status_code',
  'last_attempt_at',
  'occurred_at',
  'created_at',
  'finished_at',
] as const;

/** What the log lacks of a waiting delivery, and what a delivery without attempts lacks of the log. */
const loggedColumns = columns.map((column) =>
  column === 'next_attempt_at' ? kx.raw('null::timestamptz as next_attempt_at') : column,
);
const untriedValues: Partial<Record<(typeof columns)[number], string>> = {
  status: `'pending'`,
  attempt_count: '0',
  next_attempt_at: 'due_at',
  last_outcome: 'null::text',
  last_status_code: 'null::integer',
  last_attempt_at: 'null::timestamptz',
  finished_at: 'null::timestamptz',
};
const untriedColumns = columns.map((column) => kx.raw(`${untriedValues[column] ?? column} as ${column}`));

function matching(query: Knex.QueryBuilder, filter: DeliveryFilter): Knex.QueryBuilder {
  const equal = {
    endpoint_id: filter.endpointId,
    form_id: filter.formId,
    entity_id: filter.entityId,
    event_name: filter.eventName,
  };
  for (const [column, value] of Object.entries(equal))
    if (value !== undefined) void query.where(column, value);
  if (filter.from) void query.where('created_at', '>=', filter.from);
  if (filter.to) void query.where('created_at', '<', filter.to);
  return query.where('tenant_id', filter.tenantId);
}

/** Deliveries that are final, or have been tried. */
function logged(filter: DeliveryFilter): Knex.QueryBuilder {
  const query = matching(kx('deliveries'), filter);
  return filter.status === undefined ? query : query.where('status', filter.status);
}

/** Waiting deliveries that were never tried: the others are in the log. */
function untried(filter: DeliveryFilter): Knex.QueryBuilder {
  const query = matching(kx('waiting'), filter).where('attempts', 0);
  return filter.status === undefined || filter.status === 'pending' ? query : query.whereRaw('false');
}

/** A row of a page beside the exact number of all; a single row of nulls if the page is empty. */
export type DeliveryPageRow = { total: string } & (DeliveryRow | { id: null });

/**
 * Newest first (ids carry the time), from the log and the waiting deliveries that are not in it yet. Each
 * side is read along its own index up to the end of the page. One statement, so that the number and the
 * page are of one moment.
 */
export function pageOfDeliveries(filter: DeliveryFilter, limit: number, offset: number): Knex.QueryBuilder {
  const newest = (query: Knex.QueryBuilder, selected: typeof untriedColumns | typeof loggedColumns) =>
    query
      .select(selected)
      .orderBy('id', 'desc')
      .limit(limit + offset);
  const page = kx
    .from(newest(logged(filter), loggedColumns).as('logged'))
    .unionAll([kx.from(newest(untried(filter), untriedColumns).as('untried'))])
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset);
  return kx
    .select(kx.raw('all_logged.total + all_untried.total as total'), 'page.*')
    .select(kx.raw('coalesce(page.next_attempt_at, w.due_at) as next_attempt_at'))
    .from(logged(filter).count('* as total').as('all_logged'))
    .crossJoin(untried(filter).count('* as total').as('all_untried') as never)
    .leftJoin(page.as('page'), (join) => void join.on(kx.raw('true')))
    .joinRaw(
      `left join lateral (select due_at from waiting w where w.tenant_id = ? and w.id = page.id limit 1) w on true`,
      [filter.tenantId],
    )
    .orderBy('page.id', 'desc');
}

/** $1 tenant, $2 id */
export const findDelivery = positionalStatement(
  'find_delivery',
  `select ${columns.map((column) => `d.${column}`).join(', ')}, m.body,
     log.attempts[greatest(1, cardinality(log.attempts) - ${keptAttempts - 1}):] as attempts
   from delivery_log d
   join messages m on m.tenant_id = d.tenant_id and m.id = d.message_id
   left join deliveries log on log.tenant_id = d.tenant_id and log.id = d.id
   where d.tenant_id = $1 and d.id = $2`,
);

/** $1 tenant, $2 id: the endpoint of a delivery whose message is kept, and whether its data was erased. */
export const findEndpointOf = positionalStatement(
  'find_endpoint_of_delivery',
  `select d.endpoint_id, m.action <> 'deleted' and exists (
       select from erasures x where x.tenant_id = d.tenant_id and x.entity_id = d.entity_id
         and x.event_id > d.message_id and x.answers = 'deleted') as is_erased
   from delivery_log d
   join messages m on m.tenant_id = d.tenant_id and m.id = d.message_id
   where d.tenant_id = $1 and d.id = $2`,
);

export interface ResendRow {
  is_removed: boolean;
  is_disabled: boolean;
  resent: boolean;
}

/**
 * $1 tenant, $2 endpoint, $3 id: due now, with the whole schedule before it, unless it is in flight or its
 * endpoint is removed or disabled. The endpoint is locked by an earlier statement.
 */
export const resend = positionalStatement(
  'resend',
  `with endpoint as materialized (
     select e.tenant_id, e.id, e.removed_at is not null as is_removed, e.disabled_at is not null as is_disabled
     from endpoints e where e.tenant_id = $1 and e.id = $2
   ), sooner as (
     update waiting w set due_at = now(), schedule_step = 0
     from endpoint e
     where w.tenant_id = e.tenant_id and w.id = $3 and w.lease is null and not (e.is_removed or e.is_disabled)
     returning w.id
   ), again as (
     insert into waiting (tenant_id, id, endpoint_id, message_id, event_name, entity_id, form_id, occurred_at,
                          created_at, due_at, attempts)
     select d.tenant_id, d.id, d.endpoint_id, d.message_id, d.event_name, d.entity_id, d.form_id, d.occurred_at,
            d.created_at, now(), d.attempt_count
     from deliveries d cross join endpoint e
     where d.tenant_id = $1 and d.id = $3 and not (e.is_removed or e.is_disabled)
       and not exists (select from waiting w where w.tenant_id = $1 and w.id = $3)
     on conflict do nothing
     returning id
   ), logged as (
     update deliveries d set status = 'pending', finished_at = null
     where d.tenant_id = $1 and d.id in (select id from sooner union all select id from again)
   ), resent as (
     update endpoints e set first_due = least(e.first_due, now())
     where e.tenant_id = $1 and e.id = $2 and exists (select from sooner union all select from again)
     returning e.id
   )
   select is_removed, is_disabled, exists (select from resent) as resent from endpoint`,
);
