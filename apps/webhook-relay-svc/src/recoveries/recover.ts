import { recordAudit } from '@canvass/audit';
import { notFound, Problem } from '@canvass/errors';
import type { Database, Queryable } from '@canvass/postgres';
import { cancelRecovery, findRecovery, startRecovery, type RecoveryView } from './recoveries.sql';

/**
 * Starts a job that sends all failed and dead deliveries of an endpoint made since a time again, in batches.
 *
 * @throws {Problem} not_found; conflict when the endpoint is removed or disabled
 */
export async function recover(
  db: Queryable,
  { tenantId, endpointId, since }: { tenantId: string; endpointId: string; since: Date },
): Promise<RecoveryView> {
  const [found] = await db.query(startRecovery({ tenantId, endpointId, since }));
  if (!found) throw notFound('webhook endpoint', endpointId);
  if (found.isRemoved) throw conflict('The endpoint is no longer in the webhook settings.');
  if (found.isDisabled) throw conflict('The endpoint is disabled; enable it first.');
  return readRecovery(db, tenantId, found.recovery!);
}

/** @throws {Problem} not_found */
export async function readRecovery(db: Queryable, tenantId: string, id: string): Promise<RecoveryView> {
  const [found] = await db.query(findRecovery({ tenantId, id }));
  if (!found) throw notFound('recovery', id);
  return found;
}

/**
 * Ends a recovery where it is: what was made due stays due. One that has ended stays as it is. @throws
 * {Problem} not_found
 */
export function cancel(db: Database, tenantId: string, id: string): Promise<RecoveryView> {
  return db.transaction(async (tx) => {
    const cancelled = await tx.query(cancelRecovery({ tenantId, id }));
    if (cancelled.length > 0) await recordAudit(tx, { tenantId, object: ['webhook_recovery', id] });
    return readRecovery(tx, tenantId, id);
  });
}

const conflict = (detail: string) => new Problem('conflict', { detail });
