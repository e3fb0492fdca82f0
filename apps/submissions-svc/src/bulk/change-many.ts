import { auditFacts, recordAudit } from '@canvass/audit';
import { notFound } from '@canvass/errors';
import { runFirstStep, startJob, type JobKind, type JobRow, type JobStep } from '@canvass/jobs';
import { readBounded, type Queryable, type Transactor } from '@canvass/postgres';
import { whereOf } from '../filters';
import { getFormName } from '../submissions';
import type { BulkAction, BulkBody, BulkRequest } from './bulk-request';
import { changedAtOnce, selectionOf, type BulkPlace, type Selection } from './bulk-step';

export const bulkKind: JobKind = 'submission_bulk_change';

/** The changes that a bulk change would make. */
export interface BulkPlan {
  /** Submissions that would be changed. */
  count: number;
  oldest: Date | null;
  newest: Date | null;
  /** The newest, without answers. */
  sample: SampledSubmission[];
}

export interface SampledSubmission {
  id: string;
  submitterDisplayId: string | null;
  status: string;
  createdAt: Date;
}

const sampled = 10;
/** Bulk changes of a tenant that run at the same time. */
const maxRunning = 20;
const advice =
  'Limit the creation by from and to, filter by submitterId, or name the submissions in submissionIds.';

/** The action that the audit trail names for each submission, as for a single change. */
const auditActions: Record<BulkAction, string> = {
  status: 'submission.reviewed',
  delete: 'submission.deleted',
  restore: 'submission.restored',
};

type Asked = Omit<BulkRequest, 'traceparent' | 'audit'>;

const askedOf = (formId: string, { action, status, filter, submissionIds }: BulkBody): Asked => ({
  formId,
  action,
  status: status ?? null,
  filter: filter ?? { filter: [] },
  submissionIds: submissionIds ?? null,
});

/**
 * Counts what a bulk change would do now.
 *
 * @throws {Problem} `not_found` for the form, `validation_failed` for invalid filters, `query_too_broad` if
 * it cannot be counted in 5 s
 */
export async function planBulkChange(
  db: Transactor,
  { tenantId, formId, body }: { tenantId: string; formId: string; body: BulkBody },
  profileFields: readonly string[],
): Promise<BulkPlan> {
  await assertForm(db, tenantId, formId);
  const selection = selectionOf(tenantId, askedOf(formId, body), profileFields);
  return readBounded(db, advice, async (tx) => {
    const counted = await countOf(tx, selection);
    return { ...counted, sample: await sampleOf(tx, selection) };
  });
}

async function assertForm(db: Queryable, tenantId: string, formId: string): Promise<void> {
  const [form] = await db.query(getFormName({ tenantId, formId }));
  if (!form) throw notFound('form', formId);
}

function matchesOf({ filter, condition }: Selection): { from: string; values: unknown[] } {
  const { where, values } = whereOf(filter);
  return {
    from: `from submissions s where ${where} ${condition === null ? '' : `and ${condition}`}`,
    values,
  };
}

async function countOf(db: Queryable, selection: Selection): Promise<Omit<BulkPlan, 'sample'>> {
  const { from, values } = matchesOf(selection);
  const [row] = await db.query<Omit<BulkPlan, 'sample'>>(
    `select count(*)::float8 as count, min(s.created_at) as oldest, max(s.created_at) as newest ${from}`,
    values,
  );
  return row!;
}

function sampleOf(db: Queryable, selection: Selection): Promise<SampledSubmission[]> {
  const { from, values } = matchesOf(selection);
  return db.query<SampledSubmission>(
    `select s.id, s.submitter_display_id as "submitterDisplayId", s.status, s.created_at as "createdAt"
     ${from} order by s.id desc limit ${sampled}`,
    values,
  );
}

export interface NewBulkChange {
  tenantId: string;
  formId: string;
  body: BulkBody;
  traceparent: string;
}

export interface BulkDeps {
  /** See `bulkStep`. */
  step: JobStep<BulkRequest, BulkPlace>;
  profileFields: readonly string[];
  wakeJobs(): void;
}

/**
 * Starts a job that changes submissions as single requests would. One that has at most 100 of them to change
 * has ended when this returns.
 *
 * @throws {Problem} as `planBulkChange`; `conflict` if twenty of them run
 */
export async function startBulkChange(
  db: Transactor,
  { tenantId, formId, body, traceparent }: NewBulkChange,
  { step, profileFields, wakeJobs }: BulkDeps,
): Promise<JobRow> {
  await assertForm(db, tenantId, formId);
  const { action, reason = null } = body;
  const asked = askedOf(formId, body);
  const selection = selectionOf(tenantId, asked, profileFields);
  const { total, ids } = await readBounded(db, advice, async (tx) => {
    const { count } = await countOf(tx, selection);
    return { total: count, ids: count <= changedAtOnce ? await idsOf(tx, selection) : null };
  });
  const after = action === 'status' ? { after: { status: asked.status } } : {};
  const audit = auditFacts('submission', { action: auditActions[action], ...after });
  const submissionIds = ids ?? asked.submissionIds;
  const request: BulkRequest = { ...asked, submissionIds, traceparent, audit };
  return db.transaction(async (tx) => {
    const isLong = ids === null;
    const limit = isLong ? { maxRunning } : {};
    const job = await startJob(tx, { tenantId, kind: bulkKind, request, reason, total, ...limit });
    await recordAudit(tx, { tenantId, object: ['job', job.id], after: recordOf(body, formId, total) });
    if (!isLong) return runFirstStep(tx, { tenantId, id: job.id, request }, step);
    tx.afterCommit(() => wakeJobs());
    return job;
  });
}

async function idsOf(db: Queryable, selection: Selection): Promise<string[]> {
  const { from, values } = matchesOf(selection);
  const rows = await db.query<{ id: string }>(`select s.id ${from} order by s.id`, values);
  return rows.map(({ id }) => id);
}

/** The record without the filter, whose values may be answers. */
const recordOf = ({ action, status, submissionIds }: BulkBody, formId: string, total: number) => ({
  formId,
  action,
  ...(status !== undefined && { status }),
  byFilter: submissionIds === undefined,
  total,
});
