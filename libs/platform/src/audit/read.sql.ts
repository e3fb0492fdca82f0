import { idAt, statement, type BoundStatement } from '@canvass/postgres';
import type { Actor } from '@canvass/service-kit';

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
}

const columns = `id, to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "occurredAt", action,
  case when actor_kind is not null then
    json_build_object('provider', actor_provider, 'kind', actor_kind, 'subject', actor_subject) end as actor,
  json_build_object('type', object_type, 'id', object_id) as object, address, request_id as "requestId",
  client_request_id as "clientRequestId",
  before, after`;

/** The actions of a filter, for pages. */
export function actionsOf({ tenantId, from, to, ...rest }: AuditFilter): BoundStatement<AuditView> {
  const { actor = null, action = null, objectType = null, objectId = null } = rest;
  const [fromId, toId] = [from, to].map((time) => (time === undefined ? null : idAt(time)));
  return actions({ tenantId, fromId: fromId!, toId: toId!, actor, action, objectType, objectId });
}

type Bound = Record<'fromId' | 'toId' | 'actor' | 'action' | 'objectType' | 'objectId', string | null>;

const actions = statement<Bound & { tenantId: string }, AuditView>(
  'audit_list',
  `select ${columns} from audit where tenant_id = $tenantId
     and ($fromId::bigint is null or id >= $fromId) and ($toId::bigint is null or id < $toId)
     and ($actor::text is null or actor_subject = $actor) and ($action::text is null or action = $action)
     and ($objectType::text is null or object_type = $objectType)
     and ($objectId::text is null or object_id = $objectId)`,
);
