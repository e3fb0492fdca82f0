import type { EndpointScope } from '@canvass/contracts';
import { statement } from '@canvass/postgres';

/** `removed`: no longer in the settings; `disabled`: nothing is sent, deliveries are recorded. */
export const endpointStates = ['enabled', 'disabled', 'removed'] as const;
export type EndpointState = (typeof endpointStates)[number];

/** An endpoint as the API shows it; never with a secret. */
export interface EndpointView {
  id: string;
  scope: EndpointScope;
  scopeId: string;
  url: string;
  state: EndpointState;
  /** Events that the current settings send to it, snake_case. */
  events: string[];
  failingSince: Date | null;
  disabledAt: Date | null;
  disabledReason: string | null;
  removedAt: Date | null;
  /** End of a pause after too many failures in a row: until then nothing is sent, and what is due waits. */
  pausedUntil: Date | null;
  /** Deliveries it is sent in any second, by all copies together; null: as many as there are. */
  maxPerSecond: number | null;
  /** Events that its filters left out, about. */
  filteredOut: number;
  createdAt: Date;
  modifiedAt: Date;
}

const state = `case when e.removed_at is not null then 'removed' when e.disabled_at is not null then 'disabled'
  else 'enabled' end`;

const view = `
  e.id, e.scope, e.scope_id as "scopeId", e.url,
  ${state} as state,
  array(select t.event_name from settings_current c
        join settings_targets t using (tenant_id, scope, scope_id, version)
        where c.tenant_id = e.tenant_id and c.scope = e.scope and c.scope_id = e.scope_id
          and t.endpoint_id = e.id and t.is_enabled
        order by t.event_name) as events,
  e.failing_since as "failingSince", e.disabled_at as "disabledAt", e.disabled_reason as "disabledReason",
  e.removed_at as "removedAt", case when e.resume_at > now() then e.resume_at end as "pausedUntil",
  e.max_per_second as "maxPerSecond", e.filtered_out::float8 as "filteredOut", e.created_at as "createdAt", e.modified_at as "modifiedAt"`;

/** Null for a member does not filter. */
export interface EndpointFilter {
  tenantId: string;
  formId: string | null;
  state: EndpointState | null;
}

/** The endpoints of a filter, for pages. */
export const allEndpoints = statement<EndpointFilter, EndpointView>(
  'endpoints_all',
  `select ${view} from endpoints e
   where e.tenant_id = $tenantId and ($state::text is null or ${state} = $state)
     and ($formId::bigint is null or (e.scope = 'form' and e.scope_id = $formId))`,
);

interface Endpoint {
  tenantId: string;
  id: string;
}

const isIt = 'e.tenant_id = $tenantId and e.id = $id';

export const findEndpoint = statement<Endpoint, EndpointView>(
  'find_endpoint',
  `select ${view} from endpoints e where ${isIt}`,
);

/** Statements that change the endpoint or its waiting deliveries run one after the other. */
export const lockEndpoint = statement<Endpoint, object>(
  'lock_endpoint',
  `select from endpoints e where ${isIt} for no key update`,
);

/** Changes that a person makes are reported with the trace of the request. */
type Traced = Endpoint & { traceparent: string | null };

/** Enables an endpoint: its due deliveries can be claimed at once. */
export const enableEndpoint = statement<Traced>(
  'enable_endpoint',
  `with changed as (
     update endpoints e set disabled_at = null, disabled_reason = null, failing_since = null, slots = max_in_flight,
       failures = 0, resume_at = null, reported_failing = false, revision = revision + 1, modified_at = now()
     where ${isIt} and disabled_at is not null
     returning e, old.failing_since
   )
   select report_endpoint('webhook.endpoint_recovered', e, failing_since, $traceparent, 'reason', '"enabled"') from changed`,
);

export const disableEndpoint = statement<Traced>(
  'disable_endpoint',
  `with changed as (
     update endpoints e set disabled_at = now(), disabled_reason = 'manual', revision = revision + 1, modified_at = now()
     where ${isIt} and disabled_at is null
     returning e
   )
   select report_endpoint('webhook.endpoint_disabled', e, (e).failing_since, $traceparent, 'reason', '"manual"') from changed`,
);

/** A send slot that was taken stays. */
export const limitEndpoint = statement<Endpoint & { sets: boolean; maxPerSecond: number | null }>(
  'limit_endpoint',
  `update endpoints e set max_per_second = $maxPerSecond, modified_at = now()
   where ${isIt} and $sets and max_per_second is distinct from $maxPerSecond::integer`,
);

const isInForce = '(s.expires_at is null or s.expires_at > now())';

/** Newest first. */
export const findSecrets = statement<Endpoint, { sealed: string; expiresAt: Date | null }>(
  'find_secrets',
  `select sealed, expires_at as "expiresAt" from endpoint_secrets s
   where tenant_id = $tenantId and endpoint_id = $id and ${isInForce} order by s.id desc`,
);

/**
 * The older secrets stay in force for `seconds`; one that already expires keeps its time if that is sooner.
 * No row if `max` secrets are in force. The endpoint is locked.
 */
export const rotateSecret = statement<
  Endpoint & { sealed: string; seconds: number; max: number },
  { id: string }
>(
  'rotate_secret',
  `with in_force as (
     select count(*) as secrets from endpoint_secrets s
     where tenant_id = $tenantId and endpoint_id = $id and ${isInForce} and $seconds::float8 > 0
   ), expired as (
     delete from endpoint_secrets s using in_force i
     where i.secrets < $max and s.tenant_id = $tenantId and s.endpoint_id = $id and s.expires_at <= now()
   ), older as (
     update endpoint_secrets s set expires_at = least(s.expires_at, now() + $seconds::float8 * interval '1 second')
     from in_force i where i.secrets < $max and s.tenant_id = $tenantId and s.endpoint_id = $id and ${isInForce}
   )
   insert into endpoint_secrets (tenant_id, endpoint_id, sealed)
   select $tenantId, $id, $sealed from in_force where secrets < $max
   returning id`,
);

export interface TestTarget {
  scope: EndpointScope;
  scopeId: string;
  isRemoved: boolean;
  isDisabled: boolean;
  /** The event asked for, or the first of the endpoint's; null when it gets none. */
  eventName: string | null;
  messageId: string;
}

export const findTestTarget = statement<Endpoint & { eventName: string | null }, TestTarget>(
  'find_test_target',
  `select e.scope, e.scope_id as "scopeId", e.removed_at is not null as "isRemoved",
          e.disabled_at is not null as "isDisabled",
          (select min(t.event_name) from settings_current c
           join settings_targets t using (tenant_id, scope, scope_id, version)
           where c.tenant_id = e.tenant_id and c.scope = e.scope and c.scope_id = e.scope_id
             and t.endpoint_id = e.id and ($eventName::text is null or t.event_name = $eventName)) as "eventName",
          next_id() as "messageId"
   from endpoints e where ${isIt}`,
);

interface NewTest extends Traced {
  messageId: string;
  eventName: string;
  entity: string;
  action: string;
  body: Buffer;
  formId: string | null;
}

/** Inserts a test. Its schedule step is beyond every schedule, so a test that fails is not retried. */
export const insertTest = statement<NewTest, { id: string }>(
  'insert_test',
  `with locked as (
     select e.id from endpoints e where ${isIt} for no key update
   ), message as (
     insert into messages (tenant_id, id, event_name, entity, action, body, traceparent, occurred_at)
     values ($tenantId, $messageId, $eventName, $entity, $action, $body, $traceparent, now())
   ), due as (
     update endpoints e set first_due = least(e.first_due, now())
     from locked where e.tenant_id = $tenantId and e.id = locked.id
   )
   insert into waiting (tenant_id, message_id, endpoint_id, event_name, entity_id, form_id, occurred_at, schedule_step,
                        due_at)
   select $tenantId, $messageId, locked.id, $eventName, 0, $formId, now(), 1000, now() from locked
   returning id`,
);
