import { retry } from '@canvass/async';
import { authenticationRequired, permissionDenied } from '@canvass/auth';
import type { SubmissionView } from '@canvass/contracts';
import { notFound, Problem } from '@canvass/errors';
import type { Wake } from '@canvass/outbox';
import { sqlState, violatedConstraint, type IdempotencyUnit, type Queryable } from '@canvass/postgres';
import type { Actor } from '@canvass/service-kit';
import type { ResolvedSubmitter } from '../submitters';
import {
  createAnonymous,
  createIdentified,
  gateConstraint,
  findRoom,
  ownUserConstraint,
  type CreateRow,
} from './create.sql';
import { findUnusedToken, getFormTenant } from './read.sql';
import { wakeTimeOf, type SubmissionChanges } from './submission-body';
import { newToken, type TokenHolder } from './submission-token';

export interface NewSubmission {
  formId: string;
  /** Tenant of the caller; null for an anonymous one, who may only answer public forms. */
  tenantId: string | null;
  /** Null if anonymous: nothing is stored of the respondent, and no gate applies. */
  submitter: ResolvedSubmitter | null;
  /** On a gated form the caller creates test submissions, which have no restriction key. */
  mayTest: boolean;
  /** The caller asks for a test submission, on any form. It needs `mayTest`. */
  isTest: boolean;
  /** The caller may answer forms that are not public. */
  mayAnswerPrivate: boolean;
  /**
   * The integration that creates it for another person: not started instead of in progress, until the next
   * save. Null: the respondent does.
   */
  onBehalfBy: Actor | null;
  /** The own account of the respondent, with whose rights the token ends; null for others. */
  tokenHolder: TokenHolder | null;
  changes: SubmissionChanges;
  /** Of `AnswerCheck`. */
  answerFaults: string | null;
  traceparent: string;
}

/** The response to a create, with the token unless the submission was created complete. */
export type CreatedSubmission = SubmissionView & { token: string | null };

/**
 * A create can lose once to another submitter row, once to another submission of the respondent and once to a
 * change of the gate. The rest is reserve.
 */
const attempts = 5;

/** Unique indexes that a create violates only if another one was first. */
const lostAt: ReadonlySet<string | undefined> = new Set([gateConstraint, ownUserConstraint]);

/**
 * Creates a submission with its respondent and its event in one statement. The event is
 * `submission.completed`, `submission.collection_status_changed` for a screen-out, else `submission.saved`
 * where an endpoint asks for it, and `submission.created` where none does.
 *
 * @throws {Problem} `not_found`, `form_disabled`, `authentication_required` and `permission_denied` on a form
 * that is not public, `form_not_open`, `form_closed` and `form_full`, `submission_already_exists` with
 * `existingId` on a gated form
 */
export async function createSubmission(
  { db, wake }: { db: Queryable; wake: Wake },
  submission: NewSubmission,
): Promise<CreatedSubmission> {
  const { create, token } = statementOf(submission);
  const createOnce = async (): Promise<SubmissionView> => {
    const [row] = await db.query(create);
    if (row?.view) return row.view;
    if (row && row.full_at !== null && row.existing_id === null) {
      // A deletion frees its place now.
      const { formId } = submission;
      const [room] = await db.query(findRoom({ formId }));
      if (room?.hasRoom) throw new Problem('conflict');
    }
    throw refusalOf(row, submission);
  };
  const view = await retry(createOnce, { when: isLostRace, times: attempts, delay: 0 });
  wake(view.id, wakeTimeOf(submission.changes));
  return { ...view, token };
}

/**
 * The body of a repeated create. It contains the token only until the first use: who has used the token has
 * had the first response, and another client that repeats the request must not get it.
 */
export async function bodyOfReplay(
  body: unknown,
  tenantId: string,
  { db }: IdempotencyUnit,
): Promise<CreatedSubmission> {
  const submission = body as CreatedSubmission;
  const [unused] = await db.query(findUnusedToken({ tenantId, id: submission.id }));
  return unused ? submission : { ...submission, token: null };
}

function statementOf(submission: NewSubmission) {
  const { submitter, onBehalfBy, changes } = submission;
  const screenedOut = changes.collectionOutcome === 'screen_out';
  const isComplete = changes.isComplete === true && !screenedOut;
  const open = onBehalfBy ? 'not_started' : 'in_progress';
  // The token lets its holder continue. A complete submission cannot be continued.
  const { token, hash } = isComplete ? { token: null, hash: null } : newToken();
  const { currentPage = 0, jsonData = '{}', metadata = '{}' } = changes;
  const values = {
    formId: submission.formId,
    tenantId: submission.tenantId,
    mayTest: submission.mayTest,
    isTest: submission.isTest,
    mayAnswerPrivate: submission.mayAnswerPrivate,
    traceparent: submission.traceparent,
    isComplete,
    collectionStatus: screenedOut ? 'screen_out' : isComplete ? 'complete' : open,
    currentPage,
    jsonData,
    metadata,
    answerFaults: isComplete ? submission.answerFaults : null,
    tokenHash: hash,
    tokenHolder: submission.tokenHolder && JSON.stringify(submission.tokenHolder),
    createdBy: onBehalfBy && JSON.stringify(onBehalfBy),
  };
  const create = submitter
    ? createIdentified({
        authProvider: submitter.authProvider,
        externalSubjectId: submitter.externalSubjectId,
        appUserId: submitter.appUserId,
        displayId: submitter.displayId,
        profile: JSON.stringify(submitter.profile),
        refreshes: submitter.refreshes ?? true,
        ...values,
      })
    : createAnonymous(values);
  return { create, token };
}

/**
 * Returns whether the statement sees the result of the race when it runs again: another create of the
 * respondent was first, or the gate was turned on concurrently.
 */
function isLostRace(error: unknown): boolean {
  if (error instanceof Problem) return error.errorCode === 'conflict';
  return sqlState(error) === '23505' && lostAt.has(violatedConstraint(error));
}

/** The reason why nothing was created. */
function refusalOf(
  row: CreateRow | undefined,
  { formId, tenantId, mayAnswerPrivate }: NewSubmission,
): Problem {
  if (!row) return notFound('form', formId);
  if (!row.is_public && tenantId === null) return authenticationRequired();
  if (!row.is_public && !mayAnswerPrivate) return permissionDenied('Submissions.Create');
  if (!row.is_enabled) return new Problem('form_disabled');
  if (row.is_before) return new Problem('form_not_open', { extra: { opensAt: row.opensAt } });
  if (row.is_after) return new Problem('form_closed', { extra: { closesAt: row.closesAt } });
  if (row.existing_id !== null)
    return new Problem('submission_already_exists', { extra: { existingId: row.existing_id } });
  if (row.full_at !== null) return new Problem('form_full', { extra: { maxSubmissions: row.full_at } });
  return new Problem('conflict');
}

/** The tenant of the form; null if there is no such form. */
export async function tenantOfForm(db: Queryable, formId: string): Promise<string | null> {
  const [form] = await db.query(getFormTenant({ formId }));
  return form?.tenant_id ?? null;
}
