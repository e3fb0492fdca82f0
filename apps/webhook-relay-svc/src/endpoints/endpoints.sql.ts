import { kx, statement } from '@canvass/postgres';
import type { Knex } from 'knex';

export interface EndpointRow {
  id: string;
  scope: 'tenant' | 'form';
  scope_id: string;
  url: string;
  failing_since: Date | null;
  disabled_at: Date | null;
  disabled_reason: string | null;
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
  e.id, e.scope, e.scope_id, e.url, e.failing_since, e.disabled_at, e.disabled_reason, e.removed_at, e.created_at,
  e.modified_at,
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
export const findEndpoint = statement(
  'find_endpoint',
  `select ${columns} from endpoints e where e.tenant_id = $1 and e.id = $2`,
);

/** $1 tenant, $2 id. What came due meanwhile is swept at once. */
export const enableEndpoint = statement(
  'enable_endpoint',
  `update endpoints set disabled_at = null, disabled_reason = null, failing_since = null, modified_at = now()
   where tenant_id = $1 and id = $2 and disabled_at is not null`,
);

/** $1 tenant, $2 id, $3 reason */
export const disableEndpoint = statement(
  'disable_endpoint',
  `update endpoints set disabled_at = now(), disabled_reason = $3, modified_at = now()
   where tenant_id = $1 and id = $2 and disabled_at is null`,
);

/** $1 tenant, $2 id. Newest first. */
export const findSecrets = statement(
  'find_secrets',
  `select sealed, expires_at from endpoint_secrets
   where tenant_id = $1 and endpoint_id = $2 and (expires_at is null or expires_at > now())
   order by id desc`,
);
