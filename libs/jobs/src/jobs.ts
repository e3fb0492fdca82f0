import { recordAudit } from '@canvass/audit';
import { notFound, Problem } from '@canvass/errors';
import { newestFirst, readBounded, readKeyPage, type Queryable, type Transactor } from '@canvass/postgres';
import { currentContext, pageOf, type KeyPage, type Page, type Paging } from '@canvass/service-kit';
import { cancelRunning, countJobs, countRunningOf, findJob, insertJob, jobsOf, pageOfJobs } from './jobs.sql';
import type { JobRow, JobState } from './jobs.sql';

export interface NewJob {
  tenantId: string;
  /** A key of the kinds of the worker. */
  kind: string;
  /** What the steps need, as JSON. */
  request: object;
  /** Words of the caller. */
  reason: string | null;
  /** Items that the job will probably look at. */
  total: number;
  /** Running jobs of this kind that the tenant may have, this one included; by default any number. */
  mostRunning?: number;
}

/**
 * Starts a job in the transaction of `db`, in the name of the caller of the request. `wake` the worker after
 * the commit.
 *
 * @throws {Problem} `conflict` if the tenant has as many of them as it may
 */
export async function startJob(
  db: Queryable,
  { request, mostRunning = Infinity, ...job }: NewJob,
): Promise<JobRow> {
  if (mostRunning !== Infinity) {
    const [counted] = await db.query(countRunningOf({ tenantId: job.tenantId, kind: job.kind }));
    if (counted!.running >= mostRunning) {
      const detail = `${mostRunning} jobs of the kind ${job.kind} are running. Wait for one, or cancel it.`;
      throw new Problem('conflict', { detail });
    }
  }
  const actor = currentContext()?.actor;
  const startedBy = actor === undefined ? null : JSON.stringify(actor);
  const [row] = await db.query(insertJob({ ...job, request: JSON.stringify(request), startedBy }));
  return row!;
}

/** @throws {Problem} not_found, also for a job of another kind than `kind` */
export async function readJob(db: Queryable, tenantId: string, id: string, kind?: string): Promise<JobRow> {
  const [row] = await db.query(findJob({ tenantId, id }));
  if (!row || (kind !== undefined && row.kind !== kind)) throw notFound('job', id);
  return row;
}

/**
 * Jobs, newest first.
 *
 * @throws {Problem} `validation_failed` for an invalid cursor, `query_too_broad` after 5 s
 */
export function readJobs<View>(
  db: Transactor,
  asked: { tenantId: string; kind?: string | undefined; state?: JobState | undefined },
  { page, pageSize, byKey }: Paging,
  viewOf: (row: JobRow) => View,
): Promise<Page<View> | KeyPage<View>> {
  const filter = { tenantId: asked.tenantId, kind: asked.kind ?? null, state: asked.state ?? null };
  return readBounded(db, 'Page by key with total=none.', async (tx): Promise<Page<View> | KeyPage<View>> => {
    if (byKey !== null) return readKeyPage(tx, jobsOf(filter), newestFirst, byKey, viewOf);
    const [counted] = await tx.query(countJobs(filter));
    const rows = await tx.query(pageOfJobs({ ...filter, limit: pageSize, offset: (page - 1) * pageSize }));
    return pageOf(rows.map(viewOf), counted!.total, { page, pageSize });
  });
}

/**
 * Ends a job where it is: what its steps did stays. A job that has ended is not changed.
 *
 * @param object type of the job in the audit trail
 * @throws {Problem} not_found
 */
export function cancelJob(
  db: Transactor,
  { tenantId, id, kind, object }: { tenantId: string; id: string; kind?: string; object: string },
): Promise<JobRow> {
  return db.transaction(async (tx) => {
    await readJob(tx, tenantId, id, kind);
    const cancelled = await tx.query(cancelRunning({ tenantId, id }));
    if (cancelled.length > 0) await recordAudit(tx, { tenantId, object: [object, id] });
    return readJob(tx, tenantId, id);
  });
}
