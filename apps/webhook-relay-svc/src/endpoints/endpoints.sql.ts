import { kx, positionalStatement } from '@canvass/postgres';
import type { Knex } from 'knex';
import { changedEndpoint, endpointEvent, outboxColumns } from '../operational-events';

export interface EndpointRow {
  id: string;
  scope: 'tenant' | 'form';
  scope_id: string;
  url: string;
  failing_since: Date | null;
  disabled_at: Date | null;
  disabled_reason: string | null;
  /** Null unless nothing is sent to it for the moment. */
  paused_until: Date | null;
  max_per_second: number | null;
  removed_at: Date | null;
  created_at: Date;
  modified_at: Date;
  /** Events that the current settings send to it, snake_case. */
  events: string[];
}

export interface EndpointFilter {
  tenantId: string;
  formId: string | undefined;
  state: EndpointState | undefined;
}

/** `removed`: no longer in the settings; `disabled`: nothing is sent, deliveries are recorded. */
export type EndpointState = 'enabled' | 'disabled' | 'removed';
export const endpointStates: readonly EndpointState[] = ['enabled', 'disabled', 'removed'];

const columns = `
  e.id, e.scope, e.scope_id, e.url, e.failing_since, e.disabled_at, e.disabled_reason, e.removed_at,
  case when e.resume_at > now() then e.resume_at end as paused_until, e.max_per_second,
  e.created_at, e.modified_at,
  array(select t.event_name from settings_current c
        join settings_targets t using (tenant_id, scope, scope_id, version)
        where c.tenant_id = e.tenant_id and c.scope = e.scope and c.scope_id = e.scope_id
          and t.endpoint_id = e.id and t.is_enabled
        order by t.event_name) as events`;

const stateConditions: Record<EndpointState, string> = {
  enabled: 'e.removed_at is null and e.disabled_at is null',
  disabled: 'e.removed_at is null and e.disabled_at is not null',
  removed: 'e.removed_at is not null',
};

function matching({ tenantId, formId, state }: EndpointFilter): Knex.QueryBuilder {
  const query = kx('endpoints as e').where('e.tenant_id', tenantId);
  if (formId !== undefined) void query.where({ 'e.scope': 'form', 'e.scope_id': formId });
  if (state !== undefined) void query.whereRaw(stateConditions[state]);
  return query;
}

/** A row of a page beside the exact number of all; a single row of nulls where the page is empty. */
export type EndpointPageRow = { total: string } & (EndpointRow | { id: null });

/** Newest first. One statement, so that the number and the page are of one moment. */
export const pageOfEndpoints = (filter: EndpointFilter, limit: number, offset: number) =>
  kx
    .select('all.total', 'page.*')
    .from(matching(filter).count('* as total').as('all'))
    .leftJoin(
      matching(filter).select(kx.raw(columns)).orderBy('e.id', 'desc').limit(limit).offset(offset).as('page'),
      (join) => void join.on(kx.raw('true')),
    )
    .orderBy('page.id', 'desc');

/** $1 tenant, $2 id */
export const findEndpoint = positionalStatement(
  'find_endpoint',
  `select ${columns} from endpoints e where e.tenant_id = $1 and e.id = $2`,
);

/** $1 tenant, $2 id, $3 traceparent or null. Its due deliveries can be claimed at once. */
export const enableEndpoint = positionalStatement(
  'enable_endpoint',
  `with changed as (
     update endpoints e set disabled_at = null, disabled_reason = null, failing_since = null, slots = max_in_flight,
       failures = 0, resume_at = null, reported_failing = false, revision = revision + 1, modified_at = now()
     where tenant_id = $1 and id = $2 and disabled_at is not null
     returning ${changedEndpoint}, old.failing_since
   )
   insert into outbox ${outboxColumns}
   ${endpointEvent('changed', { type: `'webhook.endpoint_recovered'`, traceparent: '$3', more: `'reason', 'enabled'` })}`,
);

/** $1 tenant, $2 id, $3 traceparent or null. By a person. */
export const disableEndpoint = positionalStatement(
  'disable_endpoint',
  `with changed as (
     update endpoints e set disabled_at = now(), disabled_reason = 'manual', revision = revision + 1, modified_at = now()
     where tenant_id = $1 and id = $2 and disabled_at is null
     returning ${changedEndpoint}, e.failing_since
   )
   insert into outbox ${outboxColumns}
   ${endpointEvent('changed', { type: `'webhook.endpoint_disabled'`, traceparent: '$3', more: `'reason', 'manual'` })}`,
);

/** $1 tenant, $2 id, $3 deliveries per second, or null. A send slot that was taken stays. */
export const limitEndpoint = positionalStatement(
  'limit_endpoint',
  `update endpoints set max_per_second = $3, modified_at = now()
   where tenant_id = $1 and id = $2 and max_per_second is distinct from $3::integer`,
);

/** $1 tenant, $2 id. Newest first. */
export const findSecrets = positionalStatement(
  'find_secrets',
  `select sealed, expires_at from endpoint_secrets
   where tenant_id = $1 and endpoint_id = $2 and (expires_at is null or expires_at > now())
   order by id desc`,
);

/**
 * $1 tenant, $2 id. Statements that change the endpoint or its waiting deliveries run one after the other.
 */
export const lockEndpoint = positionalStatement(
  'lock_endpoint',
  'select from endpoints where tenant_id = $1 and id = $2 for no key update',
);

/**
 * $1 tenant, $2 id, $3 new secret sealed, $4 seconds that the older ones stay in force, $5 most secrets in
 * force. A secret that already expires keeps its time if that is sooner. No row when there are too many. The
 * endpoint is locked.
 */
export const rotateSecret = positionalStatement(
  'rotate_secret',
  `with in_force as (
     select count(*) as secrets from endpoint_secrets
     where tenant_id = $1 and endpoint_id = $2 and (expires_at is null or expires_at > now()) and $4::float8 > 0
   ), expired as (
     delete from endpoint_secrets s using in_force i
     where i.secrets < $5 and s.tenant_id = $1 and s.endpoint_id = $2 and s.expires_at <= now()
   ), older as (
     update endpoint_secrets s set expires_at = least(s.expires_at, now() + $4::float8 * interval '1 second')
     from in_force i
     where i.secrets < $5 and s.tenant_id = $1 and s.endpoint_id = $2 and (s.expires_at is null or s.expires_at > now())
   )
   insert into endpoint_secrets (tenant_id, endpoint_id, sealed) select $1, $2, $3 from in_force where secrets < $5
   returning id`,
);

export interface TestTargetRow {
  scope: 'tenant' | 'form';
  scope_id: string;
  is_removed: boolean;
  is_disabled: boolean;
  /** The event asked for, or the first of the endpoint's; null when it gets none. */
  event_name: string | null;
  message_id: string;
}

/** $1 tenant, $2 id, $3 event name or null */
export const findTestTarget = positionalStatement(
  'find_test_target',
  `select e.scope, e.scope_id, e.removed_at is not null as is_removed, e.disabled_at is not null as is_disabled,
          (select min(t.event_name) from settings_current c
           join settings_targets t using (tenant_id, scope, scope_id, version)
           where c.tenant_id = e.tenant_id and c.scope = e.scope and c.scope_id = e.scope_id
             and t.endpoint_id = e.id and ($3::text is null or t.event_name = $3)) as event_name,
          next_id() as message_id
   from endpoints e where e.tenant_id = $1 and e.id = $2`,
);

/**
 * $1 tenant, $2 endpoint, $3 message id, $4 event name, $5 entity, $6 action, $7 body, $8 form or null, $9
 * traceparent. Its schedule step is beyond every schedule, so a test that fails is not retried.
 */
export const insertTest = positionalStatement(
  'insert_test',
  `with locked as materialized (
     select e.id from endpoints e where e.tenant_id = $1 and e.id = $2 for no key update
   ), message as (
     insert into messages (tenant_id, id, event_name, entity, action, body, traceparent, occurred_at)
     values ($1, $3, $4, $5, $6, $7, $9, now())
   ), due as (
     update endpoints e set first_due = least(e.first_due, now())
     from locked where e.tenant_id = $1 and e.id = locked.id
   )
   insert into waiting (tenant_id, message_id, endpoint_id, event_name, entity_id, form_id, occurred_at, schedule_step,
                        due_at)
   select $1, $3, locked.id, $4, 0, $8, now(), 1000, now() from locked
   returning id`,
);
