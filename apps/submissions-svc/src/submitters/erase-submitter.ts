import { recordAudit } from '@canvass/audit';
import { notFound } from '@canvass/errors';
import { append } from '@canvass/outbox';
import type { Database } from '@canvass/postgres';
import { assertIfMatch, type IfMatch } from '@canvass/service-kit';
import { eraseSubmissions } from '../erasure';
import { deleteSubmitter, lockSubmissions, lockSubmitter, tenantSettingsInForce } from './erase.sql';

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
 * the respondent become free. Emits `submission.updated` or `submission.deleted` for each submission that was
 * not deleted, `submission.erased` for each, and `submitter.erased`, in the same transaction.
 *
 * @throws {Problem} `not_found`, `revision_mismatch`
 */
export async function eraseSubmitter(
  deps: { db: Database; wake(): void },
  { tenantId, submitterId, submissions, ifMatch, traceparent }: Erasure,
): Promise<void> {
  const answers = submissions === 'delete' ? 'deleted' : 'kept';
  const person = { tenantId, submitterId };
  await deps.db.transaction(async (tx) => {
    const [locked] = await tx.query(lockSubmitter(person));
    if (!locked) throw notFound('submitter', submitterId);
    assertIfMatch(ifMatch, locked.version);
    const ids = (await tx.query(lockSubmissions(person))).map(({ id }) => id);
    await eraseSubmissions(tx, { tenantId, ids, answers, traceparent });
    await tx.query(deleteSubmitter(person));
    await recordAudit(tx, { tenantId, object: ['submitter', submitterId], after: { submissions } });
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
    tx.afterCommit(() => deps.wake());
  });
}
