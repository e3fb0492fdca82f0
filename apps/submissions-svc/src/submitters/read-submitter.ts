import { notFound } from '@canvass/errors';
import type { Queryable } from '@canvass/postgres';
import { pageOf, type Page, type PageQuery } from '@canvass/service-kit';
import { countSubmitters, getSubmitter, listSubmitters, type SubmitterView } from './submitters.sql';

/** A respondent and its version, for `ETag`. @throws {Problem} `not_found` */
export async function readSubmitter(
  db: Queryable,
  tenantId: string,
  submitterId: string,
): Promise<{ view: SubmitterView; version: string }> {
  const [row] = await db.query(getSubmitter({ tenantId, id: submitterId }));
  if (!row) throw notFound('submitter', submitterId);
  return row;
}

/** Respondents, newest first. `search` is text within the display id, case-insensitive. */
export async function pageOfSubmitters(
  db: Queryable,
  tenantId: string,
  query: PageQuery & { search?: string },
): Promise<Page<SubmitterView>> {
  const { page, pageSize } = query;
  const filter = { tenantId, search: query.search || null };
  const [[counted], rows] = await Promise.all([
    db.query(countSubmitters(filter)),
    db.query(listSubmitters({ ...filter, limit: pageSize, offset: (page - 1) * pageSize })),
  ]);
  const views = rows.map(({ view }) => view);
  return pageOf(views, Number(counted!.total), query);
}
