import { retry } from '@canvass/async';
import { validationProblem } from '@canvass/errors';
import type { Wake } from '@canvass/outbox';
import type { Queryable } from '@canvass/postgres';
import { findCheckedForm } from '../answer-check';
import { isCompletion } from './check-answers';
import type { CreatedSubmission, NewSubmission } from './create-submission';
import { resumeOpen } from './resume.sql';
import { saveByToken } from './save.sql';
import { wakeTimeOf } from './submission-body';
import { newToken } from './submission-token';

/** Another request of the respondent took the token before it was used here. */
class TokenTaken extends Error {}

const attempts = 10;

/**
 * Gives the respondent of a refused create the unfinished submission that holds the gate, with another token.
 * Its answers stay, unless the create completes it or screens it out: then it ends with the answers of the
 * create. Null without one.
 */
export async function resumeSubmission(
  { db, wake, graceMinutes }: { db: Queryable; wake: Wake; graceMinutes: number },
  { formId, tenantId, submitter, tokenHolder, changes, answerFaults, traceparent }: NewSubmission,
): Promise<CreatedSubmission | null> {
  if (submitter === null || tenantId === null) return null;
  const { authProvider, externalSubjectId } = submitter;
  const screenOut = changes.collectionOutcome === 'screen_out';
  const endsStored = isCompletion(changes) && changes.jsonData === undefined;
  if (endsStored) await refuseUnchecked(db, formId, tenantId);
  const resumeOnce = async (): Promise<CreatedSubmission | null> => {
    const { token, hash: tokenHash } = newToken();
    const holder = tokenHolder && JSON.stringify(tokenHolder);
    const owner = { tenantId, formId, authProvider, externalSubjectId };
    const [open] = await db.query(resumeOpen({ ...owner, tokenHash, tokenHolder: holder, graceMinutes }));
    if (!open) return null;
    if (!screenOut && changes.isComplete !== true) return { ...open.view, token };
    const [ended] = await db.query(
      saveByToken({
        tenantId,
        formId,
        tokenHash,
        isHeld: true,
        graceMinutes,
        isComplete: changes.isComplete ?? null,
        currentPage: changes.currentPage ?? null,
        jsonData: changes.jsonData ?? null,
        metadata: changes.metadata ?? null,
        answerFaults: endsStored ? null : answerFaults,
        screenOut,
        ifMatch: null,
        traceparent,
      }),
    );
    if (!ended) throw new TokenTaken('Other requests of the respondent took the token again and again.');
    wake(ended.view.id, wakeTimeOf(changes));
    return { ...ended.view, token: ended.view.isComplete ? null : token };
  };
  return retry(resumeOnce, { when: (error) => error instanceof TokenTaken, times: attempts, delay: 0 });
}

/** The check was of the answers of the create, not of those that are stored. */
async function refuseUnchecked(db: Queryable, formId: string, tenantId: string): Promise<void> {
  const [form] = await db.query(findCheckedForm({ formId, tenantId, mayAnswerPrivate: true }));
  if (form?.mode === 'enforce')
    throw validationProblem({ jsonData: ['is required to complete an unfinished submission'] });
}
