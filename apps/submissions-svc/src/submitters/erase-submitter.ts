import { auditFacts, recordAudit } from '@canvass/audit';
import { notFound } from '@canvass/errors';
import { startJob, type JobKind, type JobRow, type JobStep } from '@canvass/jobs';
import { append } from '@canvass/outbox';
import type { Database, Tx } from '@canvass/postgres';
import { assertIfMatch, type IfMatch } from '@canvass/service-kit';
import { eraseSubmissions } from '../erasure';
import {
  countSubmissions,
  deleteInvited,
  deleteSubmitter,
  lockSubmissions,
  lockSubmitter,
  recordErasure,
  tenantSettingsInForce,
} from './erase.sql';
import { keepTexts } from './erased-texts';
import { integrationProvider } from './resolve-submitter';

export const erasureKind: JobKind = 'submitter_erasure';

export interface Erasure {
  tenantId: string;
  submitterId: string;
  /** `keep`: the answers stay as anonymous. `delete`: they are deleted, too. */
  submissions: 'keep' | 'delete';
  /** The version that the respondent must have, or null. */
  ifMatch: IfMatch;
  traceparent: string;
}

/** The request that the steps of a job need. */
export interface ErasureRequest {
  submitterId: string;
  submissions: Erasure['submissions'];
  traceparent: string;
  /** The facts that the audit trail records when the respondent is erased, see `auditFacts`. */
  audit: string;
}

/** Submissions of a respondent that the request itself erases. */
const maxAtOnce = 1_000;
/** Erasures of a tenant that run as jobs at the same time. */
const maxRunning = 100;
/** Submissions that one step of a job erases. */
const erasedAtOnce = 200;

/**
 * Erases a respondent: record, display id, profile and every snapshot, even in deleted submissions. Gates of
 * the respondent become free. Emits `submission.updated` or `submission.deleted` for each submission that was
 * not deleted, `submission.erased` for each, and `submitter.erased`, in the transactions of the changes.
 *
 * @returns null if the respondent is erased; the job that erases one with more than 1,000 submissions
 * @throws {Problem} `not_found`, `revision_mismatch`, `conflict` if a hundred of these jobs run
 */
export async function eraseSubmitter(
  deps: { db: Database; wake(): void },
  { tenantId, submitterId, submissions, ifMatch, traceparent }: Erasure,
): Promise<JobRow | null> {
  const person = { tenantId, submitterId };
  return deps.db.transaction(async (tx) => {
    const [locked] = await tx.query(lockSubmitter(person));
    if (!locked) throw notFound('submitter', submitterId);
    assertIfMatch(ifMatch, locked.version);
    tx.afterCommit(() => deps.wake());
    const audit = auditFacts('submitter', { after: { submissions } });
    const request: ErasureRequest = { submitterId, submissions, traceparent, audit };
    const [{ total } = { total: 0 }] = await tx.query(countSubmissions(person));
    if (total <= maxAtOnce) {
      await eraseNext(tx, tenantId, request, maxAtOnce + 1);
      return null;
    }
    const job = await startJob(tx, {
      tenantId,
      kind: erasureKind,
      request,
      reason: null,
      total,
      maxRunning,
    });
    const object = ['job', job.id] as const;
    const after = { submitterId, submissions, total };
    await recordAudit(tx, { tenantId, object, action: 'submitter.erasure_started', after });
    return job;
  });
}

/**
 * A step of the erasure of a respondent with many submissions. The last one erases the respondent, who is
 * locked meanwhile, so that no create adds a submission. Counts `erased`.
 */
export const erasureStep: JobStep<ErasureRequest, object> = async (tx, { tenantId, request, ...job }) => {
  const startedAt = performance.now();
  const person = { tenantId, submitterId: request.submitterId };
  const [locked] = await tx.query(lockSubmitter(person));
  const { erased = 0 } = job.counts;
  // Another erasure was faster.
  if (!locked) return { state: 'done', done: job.done, counts: { erased }, place: {} };
  const count = await eraseNext(tx, tenantId, request, erasedAtOnce);
  return {
    state: count < erasedAtOnce ? 'done' : 'running',
    done: job.done + count,
    counts: { erased: erased + count },
    place: {},
    pauseMs: performance.now() - startedAt,
  };
};

/**
 * Erases the next submissions of a locked respondent, who has none of them any more afterwards; and the
 * respondent, if there are fewer than `limit`. Returns their number.
 */
async function eraseNext(
  tx: Tx,
  tenantId: string,
  { submitterId, submissions, traceparent, audit }: ErasureRequest,
  limit: number,
): Promise<number> {
  const person = { tenantId, submitterId };
  const answers = submissions === 'delete' ? 'deleted' : 'kept';
  const ids = (await tx.query(lockSubmissions({ ...person, limit }))).map(({ id }) => id);
  await tx.query(keepTexts({ ...person, ids }));
  await eraseSubmissions(tx, { tenantId, ids, answers, traceparent });
  if (ids.length === limit) return limit;
  await tx.query(deleteInvited({ ...person, integrationProvider }));
  await tx.query(deleteSubmitter(person));
  await tx.query(recordErasure({ ...person, audit }));
  const [row] = await tx.query(tenantSettingsInForce({ tenantId }));
  await append(tx, {
    type: 'submitter.erased',
    tenantId,
    entity: 'submitter',
    entityId: submitterId,
    formId: null,
    revision: '1',
    settings: row?.settings ?? null,
    traceparent,
    data: { id: submitterId, answers },
  });
  return ids.length;
}
