import { requirePermission, type Principal } from '@canvass/auth';
import { notFound } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import type { ResolvedSubmitter } from '../submitters';
import { findRoom } from './create.sql';
import { findFormState, type FormStateRow } from './resume.sql';

/** A form as its caller finds it. */
export interface FormState {
  state: 'none' | 'open' | 'done' | 'closed';
  /** The problem of a create, where it is closed. */
  reason: 'form_disabled' | 'form_not_open' | 'form_closed' | 'form_full' | null;
  opensAt: string | null;
  closesAt: string | null;
}

/**
 * Returns what a create of the caller will do.
 *
 * @throws {Problem} `not_found`; `authentication_required` and `permission_denied` on a form that is not
 * public
 */
export async function readFormState(
  db: Database,
  {
    formId,
    principal,
    submitter,
    graceMinutes,
  }: {
    formId: string;
    principal: Principal | null;
    submitter: ResolvedSubmitter | null;
    graceMinutes: number;
  },
): Promise<FormState> {
  const [row] = await db.query(
    findFormState({
      formId,
      tenantId: principal?.tenantId ?? null,
      authProvider: submitter?.authProvider ?? null,
      externalSubjectId: submitter?.externalSubjectId ?? null,
      graceMinutes,
    }),
  );
  if (!row || (principal && principal.tenantId !== row.tenantId)) throw notFound('form', formId);
  if (!row.isPublic) requirePermission(principal, 'Submissions.Create');
  const { opensAt, closesAt } = row;
  if (row.isDone === true) return { state: 'done', reason: null, opensAt, closesAt };
  if (row.isDone === false && row.isEnabled && row.mayContinue)
    return { state: 'open', reason: null, opensAt, closesAt };
  // As a create does: a deletion has freed its place.
  const [room] = row.isFull ? await db.query(findRoom({ formId })) : [];
  const reason = reasonOf({ ...row, isFull: row.isFull && room?.hasRoom !== true });
  return { state: reason === null ? 'none' : 'closed', reason, opensAt, closesAt };
}

function reasonOf({ isEnabled, is_before: isBefore, is_after: isAfter, isFull }: FormStateRow) {
  if (!isEnabled) return 'form_disabled';
  if (isBefore) return 'form_not_open';
  if (isAfter) return 'form_closed';
  return isFull ? 'form_full' : null;
}
