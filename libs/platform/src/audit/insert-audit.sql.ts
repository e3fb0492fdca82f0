/** SQL expressions of a row of the audit trail. */
export interface AuditExpressions {
  /** The rows that changed: one row is recorded for each. Without it one row is recorded. */
  from?: string;
  tenantId: string;
  objectId: string;
}

/**
 * SQL that records actions in the statement of their change (a data-modifying CTE). The statement has the
 * parameter `$audit` with the text of `auditFacts`.
 */
export const insertAuditSql = ({ from, tenantId, objectId }: AuditExpressions): string => `
    insert into audit (tenant_id, action, object_type, object_id, actor_provider, actor_kind, actor_subject,
      address, request_id, client_request_id, before, after)
    select ${tenantId}, f->>'action', f->>'objectType', ${objectId}, f->'actor'->>'provider', f->'actor'->>'kind',
      f->'actor'->>'subject', f->>'address', f->>'requestId', f->>'clientRequestId', nullif((f->'before')::text, 'null')::json,
      nullif((f->'after')::text, 'null')::json
    from (select $audit::json as f) facts${from === undefined ? '' : `, ${from}`}`;
