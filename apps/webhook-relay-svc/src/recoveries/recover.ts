import { recordAudit } from '@canvass/audit';
import { notFound, Problem } from '@canvass/errors';
import type { Database, Queryable } from '@canvass/postgres';
import {
  cancelRecovery,
  findRecovery,
  startRecovery,
  type RecoverableRow,
  type RecoveryRow,
} from './recoveries.sql';

/** A recovery as the API shows it. */
export interface RecoveryView {
  id: string;
  endpointId: string;
  since: Date;
  status: RecoveryRow['status'];
  /** Failed deliveries in its range when it was asked for. */
  total: number;
  /** Of them made due again so far. */
  recovered: number;
  createdAt: Date;
  finishedAt: Date | null;
}

/**
 * Starts a job that sends all failed and dead deliveries of an endpoint made since a time again, in batches.
 *
 * @throws {Problem} not_found; conflict when the endpoint is removed or disabled
 */
export async function recover(
  db: Queryable,
  { tenantId, endpointId, since }: { tenantId: string; endpointId: string; since: Date },
): Promise<RecoveryView> {
  const [found] = await db.query<RecoverableRow>(startRecovery, [tenantId, endpointId, since]);
  if (!found) throw notFound('webhook endpoint', endpointId);
  if (found.is_removed) throw conflict('The endpoint is no longer in the webhook settings.');
  if (found.is_disabled) throw conflict('The endpoint is disabled; enable it first.');
  return readRecovery(db, tenantId, found.recovery!);
}

/** @throws {Problem} not_found */
export async function readRecovery(db: Queryable, tenantId: string, id: string): Promise<RecoveryView> {
  const [row] = await db.query<RecoveryRow>(findRecovery, [tenantId, id]);
  if (!row) throw notFound('recovery', id);
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    since: row.since,
    status: row.status,
    total: Number(row.total),
    recovered: Number(row.recovered),
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  };
}

/**
 * Ends a recovery where it is: what was made due stays due. One that has ended stays as it is. @throws
 * {Problem} not_found
 */
export function cancel(db: Database, tenantId: string, id: string): Promise<RecoveryView> {
  return db.transaction(async (tx) => {
    const cancelled = await tx.query(cancelRecovery, [tenantId, id]);
    if (cancelled.length > 0) await recordAudit(tx, { tenantId, object: ['webhook_recovery', id] });
    return readRecovery(tx, tenantId, id);
  });
}

const conflict = (detail: string) => new Problem('conflict', { detail });
