import { recordAudit } from '@canvass/audit';
import { notFound } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { assertIfMatch, type IfMatch } from '@canvass/service-kit';
import {
  anonymiseSubmissions,
  deleteSubmitter,
  deleteVersions,
  emptySubmissions,
  eraseDeletedSubmissions,
  lockSubmissions,
  lockSubmitter,
} from './erase.sql';

export interface Erasure {
  tenantId: string;
  submitterId: string;
  /** `keep`: the answers stay as anonymous. `delete`: they are deleted, too. */
  submissions: 'keep' | 'delete';
  /** The version that the respondent must have, or null. */
  ifMatch: IfMatch;
  traceparent: string;
}

/**
 * Erases a respondent: record, display id, profile and every snapshot, even in deleted submissions. Gates of
 * the respondent become free. Emits one event per submission, `submission.updated` or `submission.deleted`,
 * in the same transaction.
 *
 * @throws {Problem} `not_found`, `revision_mismatch`
 */
export async function eraseSubmitter(
  deps: { db: Database; wake(): void },
  { tenantId, submitterId, submissions, ifMatch, traceparent }: Erasure,
): Promise<void> {
  const removes = submissions === 'delete';
  const person = { tenantId, submitterId };
  await deps.db.transaction(async (tx) => {
    const [locked] = await tx.query(lockSubmitter(person));
    if (!locked) throw notFound('submitter', submitterId);
    assertIfMatch(ifMatch, locked.version);
    if (removes) {
      await tx.query(lockSubmissions(person));
      await tx.query(deleteVersions(person));
    }
    const anonymise = removes ? emptySubmissions : anonymiseSubmissions;
    await tx.query(anonymise({ ...person, traceparent }));
    await tx.query(eraseDeletedSubmissions({ ...person, deletesAnswers: removes }));
    await tx.query(deleteSubmitter(person));
    await recordAudit(tx, { tenantId, object: ['submitter', submitterId], after: { submissions } });
    tx.afterCommit(() => deps.wake());
  });
}
