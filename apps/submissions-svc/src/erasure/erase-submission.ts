import { recordAudit } from '@canvass/audit';
import { notFound } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { assertIfMatch, type IfMatch } from '@canvass/service-kit';
import { lockSubmission } from './erase.sql';
import { eraseSubmissions } from './erase-submissions';

/**
 * Erases one submission with its answers, also one that was deleted before or that is anonymous. Repeated, it
 * erases again.
 *
 * @throws {Problem} `not_found`, `revision_mismatch`
 */
export async function eraseSubmission(
  deps: { db: Database; wake(): void },
  submission: {
    tenantId: string;
    formId: string;
    submissionId: string;
    ifMatch: IfMatch;
    traceparent: string;
  },
): Promise<void> {
  const { tenantId, formId, submissionId: id, ifMatch, traceparent } = submission;
  await deps.db.transaction(async (tx) => {
    const [locked] = await tx.query(lockSubmission({ tenantId, formId, id }));
    if (!locked) throw notFound('submission', id);
    assertIfMatch(ifMatch, locked.revision);
    await eraseSubmissions(tx, { tenantId, ids: [id], answers: 'deleted', traceparent });
    await recordAudit(tx, { tenantId, object: ['submission', id], action: 'submission.erased' });
    tx.afterCommit(() => deps.wake());
  });
}
