import { writeJson } from '@canvass/json-numbers';
import { statement, type Queryable } from '@canvass/postgres';
import { currentContext, type Actor } from '@canvass/service-kit';
import { insertAuditSql } from './insert-audit.sql';

/** The tenant of actions that belong to none, such as a sign-in with an unknown name. */
export const noTenant = '0';

export interface AuditEntry {
  tenantId: string;
  /** The object of the action: `['form', '117…']`. Null for an action on all of a kind. */
  object: readonly [type: string, id: string | null];
  /** The action, by default that of the operation in progress. */
  action?: string;
  /** The actor, by default the caller of the request. */
  actor?: Actor;
  /** Members that changed, and their former values. No answers, no personal data, no secrets. */
  before?: object | null;
  after?: object | null;
}

const insertEntry = statement<{ tenantId: string; objectId: string | null; audit: string }>(
  'audit_record',
  insertAuditSql({ tenantId: '$tenantId::bigint', objectId: '$objectId::text' }),
);

/**
 * Records an action in the audit trail. Pass the transaction of the change: the row is committed with it.
 * Actor, client address and request ids are those of the request in progress.
 *
 * A hot path may record in the statement of its change instead, with `insertAuditSql` and `auditFacts`.
 *
 * @throws {Error} outside of an operation, without an action
 */
export async function recordAudit(
  db: Queryable,
  { tenantId, object: [type, objectId], ...entry }: AuditEntry,
): Promise<void> {
  await db.query(insertEntry({ tenantId, objectId, audit: auditFacts(type, entry) }));
}

/** The parameter `$audit` of `insertAuditSql`, as JSON text. @throws {Error} without an action */
export function auditFacts(
  objectType: string,
  { action, actor, before = null, after = null }: Omit<AuditEntry, 'tenantId' | 'object'> = {},
): string {
  const context = currentContext();
  const what = action ?? context?.action;
  if (what === undefined) throw new Error('The operation declares no action for the audit trail.');
  return writeJson({
    action: what,
    objectType,
    actor: actor ?? context?.actor ?? null,
    address: context?.address ?? null,
    requestId: context?.requestId ?? null,
    clientRequestId: context?.clientRequestId ?? null,
    before,
    after,
  });
}
