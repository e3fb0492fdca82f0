import { kx, statement } from '@canvass/postgres';
import type { Knex } from 'knex';
import { dueAgain } from '../due-again.sql';
import { logged, untried, type DeliveryStatus, type FoundFilter } from '../log';

/** The statuses that a mode takes. Deliveries that wait for their first attempt are sent anyway. */
const statusesOf = {
  failed: ['failed', 'dead'],
  all: ['delivered', 'failed', 'dead', 'cancelled'],
} as const satisfies Record<string, readonly DeliveryStatus[]>;

export type ResendMode = keyof typeof statusesOf;

/** The filter with the statuses that the mode takes. */
export const takenBy = (mode: ResendMode, filter: FoundFilter) => ({
  ...filter,
  status: statusesOf[mode].filter((each) => filter.status?.includes(each) ?? true),
});

/** Conditions of a filter that an index of the log has. The others are evaluated within a window of ids. */
const indexed = ({ tenantId, endpointId, formId, entityId, status, ids }: FoundFilter): FoundFilter =>
  JSON.parse(JSON.stringify({ tenantId, endpointId, formId, entityId, status, ids })) as FoundFilter;

/** The ids of one step: after `after`, up to the job itself, whose id is younger than what it takes. */
export interface IdWindow {
  after: string;
  before: string;
}

const within = (query: Knex.QueryBuilder, { after, before }: IdWindow) =>
  query.where('id', '>', after).where('id', '<', before);

export interface WindowRow {
  last: string | null;
  found: number;
}

/** The end of the next window with `rows` deliveries of the log that a cheap part of the filter matches. */
export const endOfWindow = (filter: FoundFilter, window: IdWindow, rows: number) =>
  endOf([within(logged(indexed(filter)), window)], rows);

/** The same for the mode `missing`, which also looks at deliveries that were never tried. */
export const endOfMissingWindow = (
  { endpointId: _, ...filter }: FoundFilter,
  window: IdWindow,
  rows: number,
) => endOf([within(logged(indexed(filter)), window), within(untried(indexed(filter)), window)], rows);

function endOf(queries: Knex.QueryBuilder[], rows: number): Knex.QueryBuilder {
  const [first, ...more] = queries.map((query) =>
    kx.from(query.select('id').orderBy('id').limit(rows).as('part')).select('id'),
  );
  const ids = first!.unionAll(more).orderBy('id').limit(rows);
  return kx.select(kx.raw('max(id) as last, count(*)::integer as found')).from(ids.as('ids'));
}

/** A delivery that a recovery sends again. */
export interface TakenRow {
  id: string;
  endpointId: string;
}

export const deliveriesIn = (filter: FoundFilter, window: IdWindow) =>
  within(logged(filter), window).select('id', { endpointId: 'endpoint_id' }).orderBy('id');

const isSendable = 'e.removed_at is null and e.disabled_at is null';

const isKept = (of: string) => `exists (
  select from messages m where m.tenant_id = ${of}.tenant_id and m.id = ${of}.message_id
    and (m.action = 'deleted' or not exists (
      select from erasures x where x.tenant_id = ${of}.tenant_id and x.entity_id = ${of}.entity_id
        and x.event_id > ${of}.message_id and x.answers = 'deleted')))`;

interface Endpoint {
  tenantId: string;
  endpointId: string;
}

/**
 * Makes deliveries of one endpoint due and notes them. The endpoint is locked by an earlier statement, so
 * their statuses do not change any more.
 */
export const resendTaken = statement<
  Endpoint & { jobId: string; ids: readonly string[]; statuses: readonly string[] },
  { recovered: number }
>(
  'resend_taken',
  `with batch as (
     select d.* from endpoints e cross join deliveries d
     where e.tenant_id = $tenantId and e.id = $endpointId and ${isSendable}
       and d.tenant_id = $tenantId and d.id = any ($ids::bigint[]) and d.endpoint_id = $endpointId
       and d.status = any ($statuses::text[]) and ${isKept('d')}
   ), ${dueAgain}, noted as (
     insert into recovery_items (tenant_id, job_id, delivery_id) select $tenantId, $jobId, id from resent
     on conflict (tenant_id, job_id, delivery_id) do update set made_due_at = now()
   )
   select count(*)::integer as recovered from resent`,
);

/** A message that an endpoint never got, by a delivery of it to another endpoint. */
export interface MissingRow {
  id: string;
  messageId: string;
  eventName: string;
  entityId: string;
  formId: string | null;
  occurredAt: Date;
  createdAt: Date;
}

/**
 * Messages that the endpoint of the filter never got, although settings of its scope sent them to another
 * endpoint, and send their event to this one now. Each message once. Tests and erased submissions are left
 * out.
 */
export function missingIn({ endpointId, ...filter }: FoundFilter, window: IdWindow): Knex.QueryBuilder {
  const others = { ...filter, isTest: false };
  const columns = kx.raw(
    'tenant_id, id, message_id, endpoint_id, event_name, entity_id, form_id, occurred_at, created_at',
  );
  const sent = kx
    .from(within(logged(others), window).select(columns).as('logged'))
    .unionAll([kx.from(within(untried(others), window).select(columns).as('untried'))]);
  return kx
    .select(
      kx.raw(`distinct on (o.message_id) o.id, o.message_id as "messageId", o.event_name as "eventName",
        o.entity_id as "entityId", o.form_id as "formId", o.occurred_at as "occurredAt", o.created_at as "createdAt"`),
    )
    .from(sent.as('o'))
    .joinRaw(
      `join endpoints e on e.tenant_id = o.tenant_id and e.id = ?
       join endpoints s on s.tenant_id = o.tenant_id and s.id = o.endpoint_id and s.scope = e.scope
         and s.scope_id = e.scope_id`,
      [endpointId!],
    )
    .whereRaw(`${isSubscribed} and ${isKept('o')} and not ${hasDelivery}`)
    .orderBy('o.message_id')
    .orderBy('o.id');
}

const isSubscribed = `exists (
  select from settings_current c join settings_targets t using (tenant_id, scope, scope_id, version)
  where c.tenant_id = e.tenant_id and c.scope = e.scope and c.scope_id = e.scope_id
    and t.endpoint_id = e.id and t.event_name = o.event_name and t.is_enabled)`;
const hasDelivery = `(exists (
    select from deliveries d where d.tenant_id = o.tenant_id and d.entity_id = o.entity_id
      and d.endpoint_id = e.id and d.message_id = o.message_id)
  or exists (
    select from waiting w where w.tenant_id = e.tenant_id and w.endpoint_id = e.id and w.lease is null
      and w.message_id = o.message_id)
  or exists (
    select from waiting w where w.lease_until is not null and w.tenant_id = e.tenant_id and w.endpoint_id = e.id
      and w.message_id = o.message_id))`;

/** Returns whether an endpoint can be sent anything, and how much waits for it, up to a limit. */
export const findEndpointState = statement<
  Endpoint & { max: number },
  { isRemoved: boolean; isDisabled: boolean; waiting: number }
>(
  'find_endpoint_state',
  `select e.removed_at is not null as "isRemoved", e.disabled_at is not null as "isDisabled",
     (select count(*)::integer from (
        select from waiting w where w.tenant_id = e.tenant_id and w.endpoint_id = e.id and w.lease is null
        limit $max) w) as waiting
   from endpoints e where e.tenant_id = $tenantId and e.id = $endpointId`,
);

/** Makes deliveries of stored messages and notes them. The endpoint is locked by an earlier statement. */
export const makeMissing = statement<
  Endpoint & {
    jobId: string;
    messageIds: readonly string[];
    eventNames: readonly string[];
    entityIds: readonly string[];
    formIds: readonly (string | null)[];
    occurredAts: readonly Date[];
  },
  { recovered: number }
>(
  'make_missing_deliveries',
  `with made as (
     insert into waiting (tenant_id, endpoint_id, message_id, event_name, entity_id, form_id, occurred_at, due_at)
     select $tenantId, $endpointId, m.message_id, m.event_name, m.entity_id, m.form_id, m.occurred_at, now()
     from unnest($messageIds::bigint[], $eventNames::text[], $entityIds::bigint[], $formIds::bigint[],
                 $occurredAts::timestamptz[]) as m (message_id, event_name, entity_id, form_id, occurred_at)
     returning id
   ), noted as (
     insert into recovery_items (tenant_id, job_id, delivery_id) select $tenantId, $jobId, id from made
   ), due as (
     update endpoints e set first_due = least(e.first_due, now())
     where e.tenant_id = $tenantId and e.id = $endpointId and exists (select from made)
   )
   select count(*)::integer as recovered from made`,
);

/**
 * Removes noted deliveries that were tried since they were made due, or were cancelled. `looked` is 0 at the
 * end of the list, and `last` the place for the next step.
 */
export const settleItems = statement<
  { tenantId: string; jobId: string; after: string; rows: number },
  { looked: number; last: string | null; delivered: number; failed: number; cancelled: number }
>(
  'settle_recovery_items',
  `with step as (
     select delivery_id, made_due_at from recovery_items
     where tenant_id = $tenantId and job_id = $jobId and delivery_id > $after::bigint
     order by delivery_id limit $rows
   ), ended as (
     select s.delivery_id, d.status from step s
     cross join lateral (
       select * from deliveries d where d.tenant_id = $tenantId and d.id = s.delivery_id limit 1) d
     where d.status = 'cancelled'
        or (d.status in ('delivered', 'failed', 'dead') and d.last_attempt_at >= s.made_due_at)
   ), removed as (
     delete from recovery_items i using ended x
     where i.tenant_id = $tenantId and i.job_id = $jobId and i.delivery_id = x.delivery_id
   )
   select (select count(*)::integer from step) as looked, (select max(delivery_id) from step) as last,
     count(*) filter (where status = 'delivered')::integer as delivered,
     count(*) filter (where status in ('failed', 'dead'))::integer as failed,
     count(*) filter (where status = 'cancelled')::integer as cancelled
   from ended`,
);

/** Deliveries of a plan with the same endpoint and outcome. */
export interface PlanGroup {
  endpointId: string;
  url: string;
  state: 'enabled' | 'disabled' | 'removed';
  outcome: string | null;
  count: number;
  oldest: Date;
  newest: Date;
}

const allIds: IdWindow = { after: '0', before: '9223372036854775807' };

const grouped = (deliveries: Knex.QueryBuilder) =>
  kx
    .select(
      kx.raw(`e.id as "endpointId", e.url, x.outcome, count(*)::float8 as count, min(x.created_at) as oldest,
        max(x.created_at) as newest,
        case when e.removed_at is not null then 'removed' when e.disabled_at is not null then 'disabled'
             else 'enabled' end as state`),
    )
    .from(deliveries.as('x'))
    .joinRaw('join endpoints e on e.tenant_id = x.tenant_id and e.id = x.endpoint_id')
    .groupByRaw('e.tenant_id, e.id, x.outcome');

export const planOfResend = (filter: FoundFilter) =>
  grouped(logged(filter).select('tenant_id', 'endpoint_id', 'created_at', kx.raw('last_outcome as outcome')));

export const planOfMissing = (filter: FoundFilter) =>
  grouped(
    kx
      .select(
        kx.raw('?::bigint as tenant_id, ?::bigint as endpoint_id', [filter.tenantId, filter.endpointId!]),
      )
      .select(kx.raw('null::text as outcome, m."createdAt" as created_at'))
      .from(missingIn(filter, allIds).as('m')),
  );

export const newestToResend = (filter: FoundFilter, rows: number) =>
  logged(filter).select('id').orderBy('id', 'desc').limit(rows);

export const newestMissing = (filter: FoundFilter, rows: number) =>
  kx.select('id').from(missingIn(filter, allIds).as('m')).orderBy('id', 'desc').limit(rows);
