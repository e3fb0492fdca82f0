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

/** The counts of what a run removed. */
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
 * a person had erased it. Each is recorded in the audit trail, with the change of the form that caused it.
 */
export async function runRetention(run: Run): Promise<Removed> {
  const removed: Removed = { expired: 0, partial: 0, deleted: 0, forms: 0 };
  const { DeletedDays: days, PartialDays: partialDays } = run.settings;
  const limit = rowsAtOnce;
  for (const { id: tenantId } of await run.db.query(findTenants())) {
    const record = (tx: Tx, ids: readonly string[], action: string, cause?: unknown) => {
      const after = cause === undefined ? null : { cause };
      const audit = auditFacts('submission', { action, actor, after });
      return tx.query(recordSubmissions({ tenantId, ids, audit }));
    };
    const erase = async (tx: Tx, found: readonly Found[]) => {
      await eraseSubmissions(tx, { tenantId, ids: idsOf(found), answers: 'deleted', traceparent: null });
      for (const cause of new Set(found.map((row) => row.cause))) {
        const ids = idsOf(found.filter((row) => row.cause === cause));
        await record(tx, ids, 'submission.erased', cause && JSON.parse(cause));
      }
    };
    const remove = async (tx: Tx, found: readonly Found[]) => {
      const ids = idsOf(found);
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

/** A submission, and for an expired one the period and its author as JSON text. */
interface Found {
  id: string;
  cause?: string;
}

const idsOf = (found: readonly Found[]) => found.map(({ id }) => id);

/** Repeats until a step finds fewer rows than it may. */
async function repeat(
  { db, signal }: Run,
  find: BoundStatement<Found>,
  act: (tx: Tx, found: readonly Found[]) => Promise<void>,
): Promise<number> {
  for (let total = 0; ;) {
    signal.throwIfAborted();
    const found = await db.transaction(async (tx) => {
      const [lock] = await tx.query(tryLock());
      if (!lock?.acquired) return 0;
      const rows = await tx.query(find);
      if (rows.length > 0) await act(tx, rows);
      return rows.length;
    });
    total += found;
    if (found < rowsAtOnce) return total;
  }
}
