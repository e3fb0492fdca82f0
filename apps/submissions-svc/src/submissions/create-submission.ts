import { authenticationRequired, permissionDenied } from '@canvass/auth';
import type { SubmissionView } from '@canvass/contracts';
import { notFound, Problem } from '@canvass/errors';
import type { Queryable } from '@canvass/postgres';
import type { ResolvedSubmitter } from '../submitters';
import { createAnonymous, createIdentified, gateConstraint, type CreateRow } from './create.sql';
import type { SubmissionChanges } from './submission-body';
import { newToken } from './submission-token';

export interface NewSubmission {
  formId: string;
  /** Tenant of the caller; null for an anonymous one, who may only answer public forms. */
  tenantId: string | null;
  /** Null if anonymous: nothing is stored of the respondent, and no gate applies. */
  submitter: ResolvedSubmitter | null;
  /** On a gated form the caller creates test submissions, which have no restriction key. */
  mayTest: boolean;
  /** The caller may answer forms that are not public. */
  mayAnswerPrivate: boolean;
  /** Created for another person: not started instead of in progress, until the next save. */
  onBehalf: boolean;
  changes: SubmissionChanges;
  traceparent: string;
}

/** The response to a create, with the token unless the submission was created complete. */
export type CreatedSubmission = SubmissionView & { token: string | null };

/**
 * A create can lose once to another submission of the respondent and once to a change of the gate. The rest
 * is reserve.
 */
const attempts = 5;

/**
 * Creates a submission with its respondent and its event in one statement. The event is
 * `submission.completed`, `submission.collection_status_changed` for a screen-out, else `submission.created`.
 *
 * @throws {Problem} `not_found`, `form_disabled`, `authentication_required` and `permission_denied` on a form
 * that is not public, `submission_already_exists` with `existingId` on a gated form
 */
export async function createSubmission(
  deps: { db: Queryable; wake(entityId: string): void },
  submission: NewSubmission,
): Promise<CreatedSubmission> {
  const { statement, values, token } = statementOf(submission);
  for (let attempt = 1; ; attempt += 1) {
    const row = await createOnce(deps.db, statement, values, attempt < attempts);
    if (row === 'lost a race') continue;
    if (row?.view) {
      deps.wake(row.view.id);
      return { ...row.view, token };
    }
    refuse(row, submission);
    if (attempt === attempts) throw new Problem('conflict');
  }
}

function statementOf({
  formId,
  tenantId,
  submitter,
  mayTest,
  mayAnswerPrivate,
  onBehalf,
  changes,
  traceparent,
}: NewSubmission) {
  const screenedOut = changes.collectionOutcome === 'screen_out';
  const isComplete = changes.isComplete === true && !screenedOut;
  const open = onBehalf ? 'not_started' : 'in_progress';
  const collectionStatus = screenedOut ? 'screen_out' : isComplete ? 'complete' : open;
  // The token lets its holder continue. A complete submission cannot be continued.
  const { token, hash } = isComplete ? { token: null, hash: null } : newToken();
  const { currentPage = 0, jsonData = '{}', metadata = '{}' } = changes;
  const values: unknown[] = [
    formId,
    tenantId,
    isComplete,
    collectionStatus,
    currentPage,
    jsonData,
    metadata,
    hash,
  ];
  values.push(traceparent, mayTest, mayAnswerPrivate);
  if (!submitter) return { statement: createAnonymous, values, token };
  const { authProvider, externalSubjectId, appUserId, displayId, profile } = submitter;
  values.push(authProvider, externalSubjectId, appUserId, displayId, JSON.stringify(profile));
  return { statement: createIdentified, values, token };
}

async function createOnce(
  db: Queryable,
  statement: typeof createAnonymous,
  values: unknown[],
  mayRetry: boolean,
): Promise<CreateRow | undefined | 'lost a race'> {
  try {
    const [row] = await db.query<CreateRow>(statement, values);
    return row;
  } catch (error) {
    if (mayRetry && isLostRace(error)) return 'lost a race';
    throw error;
  }
}

/** Another submission of the respondent was first. The statement sees it when it runs again. */
function isLostRace(error: unknown): boolean {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' && constraint === gateConstraint;
}

/** Throws the reason why nothing was created; returns if the gate was turned on concurrently. */
function refuse(row: CreateRow | undefined, { formId, tenantId, mayAnswerPrivate }: NewSubmission): void {
  if (!row) throw notFound('form', formId);
  if (!row.is_public && tenantId === null) throw authenticationRequired();
  if (!row.is_public && !mayAnswerPrivate) throw permissionDenied('Submissions.Create');
  if (!row.is_enabled) throw new Problem('form_disabled');
  if (row.existing_id !== null)
    throw new Problem('submission_already_exists', { extra: { existingId: row.existing_id } });
}
