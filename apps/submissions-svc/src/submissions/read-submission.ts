import type { Principal } from '@canvass/auth';
import type { SubmissionView } from '@canvass/contracts';
import { notFound } from '@canvass/errors';
import type { Database } from '@canvass/postgres';
import { pageOf, type Page, type PageQuery } from '@canvass/service-kit';
import { countSubmissions, getSubmission, listSubmissions } from './read.sql';
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

/** Newest first. */
export async function pageOfSubmissions(
  db: Database,
  tenantId: string,
  formId: string,
  query: PageQuery,
): Promise<Page<SubmissionView>> {
  const offset = (query.page - 1) * query.pageSize;
  const [[counted], rows] = await Promise.all([
    db.query<{ total: string }>(countSubmissions, [tenantId, formId]),
    db.query<ViewRow>(listSubmissions, [tenantId, formId, query.pageSize, offset]),
  ]);
  if (!counted) throw notFound('form', formId);
  return pageOf(
    rows.map(({ view }) => view),
    Number(counted.total),
    query,
  );
}
