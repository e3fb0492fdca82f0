import type { Principal } from '@canvass/auth';
import type { SubmissionView } from '@canvass/contracts';
import { notFound } from '@canvass/errors';
import type { Database, Queryable } from '@canvass/postgres';
import { pageOf, type Page, type PageQuery } from '@canvass/service-kit';
import {
  countVersions,
  getFormTenant,
  getSubmission,
  listVersions,
  type SubmissionDetail,
  type SubmissionVersion,
} from './read.sql';
import { useToken } from './save.sql';
import { hashOfSent } from './submission-token';

export async function readSubmission(
  db: Database,
  tenantId: string,
  formId: string,
  submissionId: string,
): Promise<SubmissionDetail> {
  const [row] = await db.query(getSubmission({ tenantId, formId, id: submissionId }));
  if (!row) throw notFound('submission', submissionId);
  return { ...row.view, createdBy: row.createdBy };
}

/** The submission of a token that is neither expired nor used up by completion. The use renews the token. */
export async function readByToken(
  db: Database,
  formId: string,
  token: string,
  caller: Principal | null,
): Promise<SubmissionView> {
  const tenantId = caller?.tenantId ?? null;
  const [row] = await db.query(useToken({ tenantId, formId, tokenHash: requireHash(token) }));
  if (!row) throw notFound('submission');
  return row.view;
}

/** The stored form of a token. Throws a 404 for an invalid text, like for an unknown token. */
export function requireHash(token: string): Buffer {
  const hash = hashOfSent(token);
  if (!hash) throw notFound('submission');
  return hash;
}

/** The tenant of the form; null if there is no such form. */
export async function tenantOfForm(db: Queryable, formId: string): Promise<string | null> {
  const [form] = await db.query(getFormTenant({ formId }));
  return form?.tenant_id ?? null;
}

/** Former answers of a submission, newest first, without the current ones. At most 50 are kept. */
export async function pageOfVersions(
  db: Database,
  tenantId: string,
  formId: string,
  submissionId: string,
  query: PageQuery,
): Promise<Page<SubmissionVersion>> {
  const [counted] = await db.query(countVersions({ tenantId, formId, id: submissionId }));
  if (!counted) throw notFound('submission', submissionId);
  const offset = (query.page - 1) * query.pageSize;
  const rows = await db.query(listVersions({ tenantId, id: submissionId, limit: query.pageSize, offset }));
  return pageOf(rows, Number(counted.total), query);
}
