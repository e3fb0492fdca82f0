import type { ErasedAnswers } from '@canvass/contracts';
import { eraseEvents } from '@canvass/outbox';
import { forgetAnswers, type Tx } from '@canvass/postgres';
import { deleteComments, deleteLinks, deleteVersions, emitErased, endExports, eraseRows } from './erase.sql';

interface SubmissionErasure {
  tenantId: string;
  /** Submissions that the transaction has locked; deleted ones, too. */
  ids: readonly string[];
  answers: ErasedAnswers;
  /** The trace of the request; null without one. */
  traceparent: string | null;
}

const person = {
  submitterId: null,
  submitterDisplayId: null,
  submitterProfileSnapshot: null,
  submittedBy: null,
};
const answerTexts = { jsonData: '{}', metadata: '{}' };

/**
 * Erases the respondent of submissions, and their answers if asked: in the rows, former versions, links,
 * comments, kept responses of idempotency keys, unpublished events and stored exports. Emits
 * `submission.erased` for each, by which other services erase their copies.
 */
export async function eraseSubmissions(
  tx: Tx,
  { tenantId, ids, answers, traceparent }: SubmissionErasure,
): Promise<void> {
  const deletes = answers === 'deleted';
  await eraseEvents(tx, {
    tenantId,
    entityIds: ids,
    members: deletes ? { ...person, ...answerTexts } : person,
    withoutWebhooks: deletes,
  });
  await tx.query(forgetAnswers({ tenantId, entityIds: ids }));
  await tx.query(endExports({ tenantId, ids }));
  await tx.query(deleteLinks({ tenantId, ids }));
  await tx.query(deleteComments({ tenantId, ids }));
  if (deletes) await tx.query(deleteVersions({ tenantId, ids }));
  await tx.query(eraseRows({ tenantId, ids, deletes, traceparent }));
  await tx.query(emitErased({ tenantId, ids, deletes, traceparent }));
}
