import { auditFacts } from '@canvass/audit';
import type { ReviewStatus, SubmissionView } from '@canvass/contracts';
import { notFound, Problem } from '@canvass/errors';
import type { Wake } from '@canvass/outbox';
import type { Database } from '@canvass/postgres';
import { assertIfMatch, type IfMatch } from '@canvass/service-kit';
import { getSubmission } from './read.sql';
import { deleteSubmission, findDeleted, restoreSubmission, setStatus } from './save.sql';

export interface StaffChange {
  tenantId: string;
  formId: string;
  submissionId: string;
  ifMatch: IfMatch;
  traceparent: string;
}

interface Deps {
  db: Database;
  wake: Wake;
}

/**
 * Sets the review status of a submission, with the event `submission.status_changed` where an endpoint asks
 * for it, else `submission.updated`, which has no webhook. Setting the same status again changes nothing.
 *
 * @throws {Problem} `not_found`, `revision_mismatch`
 */
export async function reviewSubmission(
  deps: Deps,
  change: StaffChange,
  status: ReviewStatus,
): Promise<SubmissionView> {
  const { tenantId, formId, submissionId, ifMatch, traceparent } = change;
  const audit = auditFacts('submission', { after: { status } });
  const review = setStatus({ tenantId, formId, id: submissionId, status, ifMatch, traceparent, audit });
  const [row] = await deps.db.query(review);
  if (!row) return unchanged(deps.db, change);
  deps.wake(submissionId, 'soon');
  return row.view;
}

/**
 * Soft-deletes a submission, with the event `submission.deleted`. Its respondent may answer a gated form
 * again.
 *
 * @throws {Problem} `not_found`, `revision_mismatch`
 */
export async function removeSubmission(deps: Deps, change: StaffChange): Promise<void> {
  const { tenantId, formId, submissionId, ifMatch, traceparent } = change;
  const audit = auditFacts('submission');
  const [row] = await deps.db.query(
    deleteSubmission({ tenantId, formId, id: submissionId, ifMatch, traceparent, audit }),
  );
  if (!row) await unchanged(deps.db, change);
  deps.wake(submissionId);
}

/**
 * Takes a deletion back, with the event of a save. A submission that is not deleted is not changed.
 *
 * @throws {Problem} `not_found`, also after the retention removed it; `revision_mismatch`; `conflict` if it
 * was erased; `submission_already_exists` if its respondent has answered the gated form again
 */
export async function undeleteSubmission(deps: Deps, change: StaffChange): Promise<SubmissionView> {
  const { tenantId, formId, submissionId: id, ifMatch, traceparent } = change;
  const audit = auditFacts('submission');
  const [row] = await deps.db.query(
    restoreSubmission({ tenantId, formId, ids: [id], ifMatch, traceparent, audit }),
  );
  if (row) {
    deps.wake(id, 'soon');
    return row.view;
  }
  const [deleted] = await deps.db.query(findDeleted({ tenantId, formId, id }));
  if (!deleted) return unchanged(deps.db, change);
  assertIfMatch(ifMatch, deleted.revision);
  if (!deleted.hasData) throw new Problem('conflict', { detail: 'The submission has no data left.' });
  throw new Problem('submission_already_exists');
}

/** The result if a statement changed nothing: throws a Problem, or returns the submission. */
async function unchanged(
  db: Database,
  { tenantId, formId, submissionId, ifMatch }: StaffChange,
): Promise<SubmissionView> {
  const [row] = await db.query(getSubmission({ tenantId, formId, id: submissionId }));
  if (!row) throw notFound('submission', submissionId);
  assertIfMatch(ifMatch, row.view.revision);
  return row.view;
}
