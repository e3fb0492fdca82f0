import { recordAudit } from '../audit';
import { notFound, Problem } from '@canvass/errors';
import { newestFirst, readBounded, readKeyPage, type Queryable, type Transactor } from '@canvass/postgres';
import { currentContext, type KeyPage, type KeyQuery } from '@canvass/service-kit';
import {
  cancelRunning,
  countRunningOf,
  findJob,
  insertJob,
  jobsOf,
  lostRights,
  takeOver,
  type JobFilter,
  type JobRow,
} from './jobs.sql';
import { exportKind } from './kinds';

export interface NewJob {
  tenantId: string;
  /** A key of the kinds of the worker. */
  kind: string;
  /** The request that the steps need, as JSON. */
  request: object;
  /** Words of the caller. */
  reason: string | null;
  /** Items that the job will probably look at. */
  total: number;
  /** Running jobs of this kind that the tenant may have, this one included; by default any number. */
  maxRunning?: number;
}

/**
 * Starts a job in the transaction of `db`, in the name of the caller of the request. `wake` the worker after
 * the commit.
 *
 * @throws {Problem} `conflict` if the tenant has as many of them as it may
 */
export async function startJob(
  db: Queryable,
  { request, maxRunning = Infinity, ...job }: NewJob,
): Promise<JobRow> {
  if (maxRunning !== Infinity) {
    const [counted] = await db.query(countRunningOf({ tenantId: job.tenantId, kind: job.kind }));
    if (counted!.running >= maxRunning) {
      const detail = `${maxRunning} jobs of the kind ${job.kind} are running. Wait for one, or cancel it.`;
      throw new Problem('conflict', { detail });
    }
  }
  const starter = { startedBy: null, version: null, ...starterInContext() };
  const [row] = await db.query(insertJob({ ...job, request: JSON.stringify(request), ...starter }));
  return row!;
}

/** The caller of the request; undefined without one. */
function starterInContext(): { startedBy: string; version: number | null } | undefined {
  const { actor, version = null } = currentContext() ?? {};
  return actor && { startedBy: JSON.stringify(actor), version };
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
  filter: JobFilter,
  window: KeyQuery,
  viewOf: (row: JobRow) => View,
): Promise<KeyPage<View>> {
  return readBounded(db, 'Ask without total.', (tx) =>
    readKeyPage(tx, jobsOf(filter), newestFirst, window, viewOf),
  );
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

/**
 * Continues a job in the name of the caller, whose starter lost the right to it. What the job does from now
 * on is recorded with the caller as its actor.
 *
 * @throws {Problem} `not_found`; `conflict` for a job that ended otherwise, or whose result was deleted
 */
export function takeOverJob(
  db: Transactor,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<JobRow> {
  return db.transaction(async (tx) => {
    const { request, kind } = await readJob(tx, tenantId, id);
    const asked = JSON.stringify(withAuthor(request as { audit?: string }));
    const taken =
      kind === exportKind
        ? []
        : await tx.query(
            takeOver({ tenantId, id, error: lostRights, request: asked, ...starterInContext()! }),
          );
    if (taken.length === 0)
      throw new Problem('conflict', {
        detail: 'Only a job that lost the rights of its starter can be taken over. Start an export again.',
      });
    await recordAudit(tx, { tenantId, object: ['job', id] });
    return readJob(tx, tenantId, id);
  });
}

/** The facts that a job records are in its request, see `auditFacts`. */
function withAuthor<Request extends { audit?: string }>(request: Request): Request {
  if (request.audit === undefined) return request;
  const { actor, address = null, requestId } = currentContext()!;
  const facts = { ...(JSON.parse(request.audit) as object), actor, address, requestId };
  return { ...request, audit: JSON.stringify(facts) };
}
