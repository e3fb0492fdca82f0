import type { Principal } from '@canvass/auth';
import type { SubmissionView } from '@canvass/contracts';
import { notFound } from '@canvass/errors';
import { newestFirst, readKeyPage, type Database } from '@canvass/postgres';
import type { KeyPage, KeyQuery } from '@canvass/service-kit';
import {
  allVersions,
  findSubmission,
  getSubmission,
  type SubmissionDetail,
  type SubmissionVersion,
} from './read.sql';
import { useToken } from './save.sql';
import { assertHeld, hashOfSent, type TokenRevocations } from './submission-token';

export async function readSubmission(
  db: Database,
  tenantId: string,
  formId: string,
  submissionId: string,
): Promise<SubmissionDetail> {
  const [row] = await db.query(getSubmission({ tenantId, formId, id: submissionId }));
  if (!row) throw notFound('submission', submissionId);
  const { view, ...more } = row;
  return { ...view, ...more };
}

/** The submission of a token that is neither expired nor used up by completion. The use renews the token. */
export async function readByToken(
  db: Database,
  formId: string,
  token: string,
  caller: Principal | null,
  revocations: TokenRevocations,
): Promise<SubmissionView> {
  const tenantId = caller?.tenantId ?? null;
  const [row] = await db.query(useToken({ tenantId, formId, tokenHash: requireHash(token) }));
  if (!row) throw notFound('submission');
  assertHeld(revocations, row.holder, caller);
  return row.view;
}

/** The stored form of a token. Throws a 404 for an invalid text, like for an unknown token. */
export function requireHash(token: string): Buffer {
  const hash = hashOfSent(token);
  if (!hash) throw notFound('submission');
  return hash;
}

/**
 * Former answers of a submission, newest first, without the current ones. At most 50 are kept.
 *
 * @throws {Problem} `not_found`, `validation_failed` for an invalid cursor
 */
export async function pageOfVersions(
  db: Database,
  tenantId: string,
  formId: string,
  submissionId: string,
  window: KeyQuery,
): Promise<KeyPage<SubmissionVersion>> {
  const [found] = await db.query(findSubmission({ tenantId, formId, id: submissionId }));
  if (!found) throw notFound('submission', submissionId);
  const source = allVersions({ tenantId, id: submissionId });
  return readKeyPage(db, source, newestFirst, window, ({ id: _, ...version }) => version);
}
