import { idAt, kx } from '@canvass/postgres';
import type { Actor } from '@canvass/service-kit';
import type { Knex } from 'knex';

/** A recorded action. */
export interface AuditView {
  id: string;
  occurredAt: string;
  action: string;
  /** Null without a verified caller, as in a failed sign-in. */
  actor: Actor | null;
  object: { type: string; id: string | null };
  address: string | null;
  requestId: string | null;
  /** Chosen by the client: it proves nothing. */
  clientRequestId: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

export interface AuditFilter {
  tenantId: string;
  /** Time of the action: `from` inclusive, `to` exclusive. */
  from?: Date;
  to?: Date;
  /** Subject of the actor. */
  actor?: string;
  action?: string;
  objectType?: string;
  objectId?: string;
  /** Only actions with smaller ids: those before that one. */
  before?: string;
}

const columns = `id, to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt", action,
  case when actor_kind is not null then
    json_build_object('provider', actor_provider, 'kind', actor_kind, 'subject', actor_subject) end as actor,
  json_build_object('type', object_type, 'id', object_id) as object, address, request_id as "requestId",
  client_request_id as "clientRequestId",
  before, after`;

/** Newest first. */
export function findActions(filter: AuditFilter, limit: number): Knex.QueryBuilder {
  const { tenantId, from, to, before, ...rest } = filter;
  const equal = {
    actor_subject: rest.actor,
    action: rest.action,
    object_type: rest.objectType,
    object_id: rest.objectId,
  };
  const query = kx('audit').select(kx.raw(columns)).where('tenant_id', tenantId);
  for (const [column, value] of Object.entries(equal))
    if (value !== undefined) void query.where(column, value);
  if (from) void query.where('id', '>=', idAt(from));
  if (to) void query.where('id', '<', idAt(to));
  if (before !== undefined) void query.where('id', '<', before);
  return query.orderBy('id', 'desc').limit(limit);
}
