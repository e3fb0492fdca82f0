import { auditFacts } from '@canvass/audit';
import type { BoundStatement, Database, Tx } from '@canvass/postgres';
import type { Actor } from '@canvass/service-kit';
import { deleteVersions, eraseSubmissions } from '../erasure';
import type { RetentionSettings } from './retention-settings';
import {
  findDeleted,
  findExpired,
  findOfDeletedForms,
  findPartial,
  findTenants,
  recordSubmissions,
  removeForms,
  removeSubmissions,
  tryLock,
} from './retention.sql';

/** What a run removed. */
export interface Removed {
  /** Erased at the end of the period of their form. */
  expired: number;
  /** Erased because they were not completed. */
  partial: number;
  /** Submissions that were deleted, or whose form was. */
  deleted: number;
  forms: number;
}

interface Run {
  db: Database;
  settings: RetentionSettings;
  /** Ends the run between two steps. */
  signal: AbortSignal;
}

const rowsAtOnce = 200;

const actor: Actor = { provider: 'Service', kind: 'job', subject: 'retention' };

/**
 * Erases what has outlived its period, and removes what was deleted long ago. In small steps, each committed.
 * It ends early if another process runs one. An erased submission has its events and is removed later, as if
 * a person had erased it. Each is recorded in the audit trail.
 */
export async function runRetention(run: Run): Promise<Removed> {
  const removed: Removed = { expired: 0, partial: 0, deleted: 0, forms: 0 };
  const { DeletedDays: days, PartialDays: partialDays } = run.settings;
  const limit = rowsAtOnce;
  for (const { id: tenantId } of await run.db.query(findTenants())) {
    const record = (tx: Tx, ids: readonly string[], action: string) =>
      tx.query(recordSubmissions({ tenantId, ids, audit: auditFacts('submission', { action, actor }) }));
    const erase = async (tx: Tx, ids: readonly string[]) => {
      await eraseSubmissions(tx, { tenantId, ids, answers: 'deleted', traceparent: null });
      await record(tx, ids, 'submission.erased');
    };
    const remove = async (tx: Tx, ids: readonly string[]) => {
      await tx.query(deleteVersions({ tenantId, ids }));
      await tx.query(removeSubmissions({ tenantId, ids }));
      await record(tx, ids, 'submission.removed');
    };
    removed.expired += await repeat(run, findExpired({ tenantId, limit }), erase);
    if (partialDays > 0)
      removed.partial += await repeat(run, findPartial({ tenantId, limit, days: partialDays }), erase);
    removed.deleted += await repeat(run, findDeleted({ tenantId, limit, days }), remove);
    removed.deleted += await repeat(run, findOfDeletedForms({ tenantId, limit, days }), remove);
    const audit = auditFacts('form', { action: 'form.removed', actor });
    removed.forms += (await run.db.query(removeForms({ tenantId, limit, days, audit }))).length;
  }
  return removed;
}

/** Until a step finds fewer rows than it may. */
async function repeat(
  { db, signal }: Run,
  find: BoundStatement<{ id: string }>,
  act: (tx: Tx, ids: readonly string[]) => Promise<void>,
): Promise<number> {
  for (let total = 0; ;) {
    signal.throwIfAborted();
    const found = await db.transaction(async (tx) => {
      const [lock] = await tx.query(tryLock());
      if (!lock?.acquired) return 0;
      const ids = (await tx.query(find)).map(({ id }) => id);
      if (ids.length > 0) await act(tx, ids);
      // failpoint: submissions.retention.acted
      return ids.length;
    });
    // failpoint: submissions.retention.committed
    total += found;
    if (found < rowsAtOnce) return total;
  }
}
