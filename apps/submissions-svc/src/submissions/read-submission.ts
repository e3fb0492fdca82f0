import type { Principal } from '@canvass/auth';
import type { SubmissionView } from '@canvass/contracts';
import { notFound } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { pageOf, type Page, type PageQuery } from '@canvass/service-kit';
import { countVersions, getFormTenant, getSubmission, listVersions } from './read.sql';
import { useToken, type ViewRow } from './save.sql';
import { hashOfSent } from './submission-token';

export async function readSubmission(
  db: Database,
  tenantId: string,
  formId: string,
  submissionId: string,
): Promise<SubmissionView> {
  const [row] = await db.query<ViewRow>(getSubmission, [tenantId, formId, submissionId]);
  if (!row) throw notFound('submission', submissionId);
  return row.view;
}

/** The submission of a token that is not expired and not used up by completion; the use renews it. */
export async function readByToken(
  db: Database,
  formId: string,
  token: string,
  caller: Principal | null,
): Promise<SubmissionView> {
  const [row] = await db.query<ViewRow>(useToken, [caller?.tenantId ?? null, formId, requireHash(token)]);
  if (!row) throw notFound('submission');
  return row.view;
}

/** What is stored of a token; a 404 for a text that never was one, as for one that is not known. */
export function requireHash(token: string): Buffer {
  const hash = hashOfSent(token);
  if (!hash) throw notFound('submission');
  return hash;
}

/** Whose form it is; null for none. */
export async function tenantOfForm(db: Database, formId: string): Promise<string | null> {
  const [form] = await db.query<{ tenant_id: string }>(getFormTenant, [formId]);
  return form?.tenant_id ?? null;
}

/** Answers that a later save replaced. */
export interface SubmissionVersion {
  /** The last revision of the submission that had these answers. */
  revision: string;
  jsonData: string;
  metadata: string;
  savedAt: string;
  replacedAt: string;
}

/** Former answers of a submission, newest first; what it holds now is not among them. At most 50 are kept. */
export async function pageOfVersions(
  db: Database,
  tenantId: string,
  formId: string,
  submissionId: string,
  query: PageQuery,
): Promise<Page<SubmissionVersion>> {
  const [counted] = await db.query<{ total: string }>(countVersions, [tenantId, formId, submissionId]);
  if (!counted) throw notFound('submission', submissionId);
  const offset = (query.page - 1) * query.pageSize;
  const values = [tenantId, submissionId, query.pageSize, offset];
  return pageOf(await db.query<SubmissionVersion>(listVersions, values), Number(counted.total), query);
}
