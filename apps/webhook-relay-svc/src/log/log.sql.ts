import { kx, positionalStatement } from '@canvass/postgres';
import type { Knex } from 'knex';

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
  attempts: number;
  next_attempt_at: Date | null;
  last_outcome: string | null;
  last_status_code: number | null;
  last_attempt_at: Date | null;
  occurred_at: Date;
  created_at: Date;
  finished_at: Date | null;
}

export interface AttemptRow {
  number: number;
  started_at: Date;
  outcome: string;
  status_code: number | null;
  error: string | null;
  url: string;
  remote_address: string | null;
  dns_ms: number | null;
  connect_ms: number | null;
  tls_ms: number | null;
  first_byte_ms: number | null;
  total_ms: number;
  request_headers: Record<string, string>;
  response_body: Buffer;
  response_truncated: boolean;
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
  'attempts',
  'next_attempt_at',
  'last_outcome',
  'last_status_code',
  'last_attempt_at',
  'occurred_at',
  'created_at',
  'finished_at',
];

function matching(filter: DeliveryFilter): Knex.QueryBuilder {
  const query = kx('deliveries').where('tenant_id', filter.tenantId);
  const equal = {
    endpoint_id: filter.endpointId,
    form_id: filter.formId,
    entity_id: filter.entityId,
    event_name: filter.eventName,
    status: filter.status,
  };
  for (const [column, value] of Object.entries(equal))
    if (value !== undefined) void query.where(column, value);
  if (filter.from) void query.where('created_at', '>=', filter.from);
  if (filter.to) void query.where('created_at', '<', filter.to);
  return query;
}

/** A row of a page beside the exact number of all; a single row of nulls where the page is empty. */
export type DeliveryPageRow = { total: string } & (DeliveryRow | { id: null });

/** Newest first (ids carry the time). One statement, so that the number and the page are of one moment. */
export const pageOfDeliveries = (filter: DeliveryFilter, limit: number, offset: number) =>
  kx
    .select('all.total', 'page.*')
    .from(matching(filter).count('* as total').as('all'))
    .leftJoin(
      matching(filter).select(columns).orderBy('id', 'desc').limit(limit).offset(offset).as('page'),
      (join) => void join.on(kx.raw('true')),
    )
    .orderBy('page.id', 'desc');

/** $1 tenant, $2 id */
export const findDelivery = positionalStatement(
  'find_delivery',
  `select ${columns.map((column) => `d.${column}`).join(', ')}, m.body
   from deliveries d join messages m on m.id = d.message_id and m.tenant_id = d.tenant_id
   where d.tenant_id = $1 and d.id = $2`,
);

/**
 * Most attempts of one delivery that are shown: each resend adds some, and each has up to 16 KiB of its
 * answer.
 */
export const mostAttempts = 100;

/** $1 tenant, $2 delivery; the newest first */
export const findAttempts = positionalStatement(
  'find_attempts',
  `select number, started_at, outcome, status_code, error, url, remote_address, dns_ms, connect_ms, tls_ms,
          first_byte_ms, total_ms, request_headers, response_body, response_truncated
   from attempts where tenant_id = $1 and delivery_id = $2 order by id desc limit ${mostAttempts}`,
);

export interface ResendRow {
  is_removed: boolean;
  is_disabled: boolean;
  in_flight: boolean;
  resent: boolean;
}

/** $1 tenant, $2 id. A claim holds this lock until its lease is committed. */
export const lockDelivery = positionalStatement(
  'lock_delivery',
  'select from deliveries where tenant_id = $1 and id = $2 for no key update',
);

/**
 * $1 tenant, $2 id: due now, with the whole schedule before it, unless something stands against it. The
 * delivery is locked.
 */
export const resend = positionalStatement(
  'resend',
  `with found as (
     select d.id, e.removed_at is not null as is_removed, e.disabled_at is not null as is_disabled,
            exists (select from leases l where l.delivery_id = d.id) as in_flight
     from deliveries d join endpoints e on e.tenant_id = d.tenant_id and e.id = d.endpoint_id
     where d.tenant_id = $1 and d.id = $2
   ), resent as (
     update deliveries d
     set status = 'pending', schedule_step = 0, next_attempt_at = now(), finished_at = null
     from found
     where d.tenant_id = $1 and d.id = found.id and not (is_removed or is_disabled or in_flight)
     returning d.id
   )
   select is_removed, is_disabled, in_flight, exists (select from resent) as resent from found`,
);
