import { notFound } from '@canvass/errors';
import {
  newestFirst,
  readBounded,
  readKeyPage,
  totalOf,
  type Database,
  type Queryable,
} from '@canvass/postgres';
import { pageOf, type KeyPage, type Page, type Paging } from '@canvass/service-kit';
import { allSubmitters, getSubmitter, listSubmitters, type SubmitterView } from './submitters.sql';

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

/**
 * Respondents, newest first. `search` is text within the display id, case-insensitive.
 *
 * @throws {Problem} `validation_failed` for an invalid cursor, `query_too_broad` after 5 s
 */
export async function listSubmittersOf(
  db: Database,
  tenantId: string,
  query: Paging & { search?: string },
): Promise<Page<SubmitterView> | KeyPage<SubmitterView>> {
  const { page, pageSize, byKey } = query;
  const filter = { tenantId, search: query.search || null };
  return readBounded(db, advice, async (tx): Promise<Page<SubmitterView> | KeyPage<SubmitterView>> => {
    if (byKey !== null) return readKeyPage(tx, allSubmitters(filter), newestFirst, byKey, ({ view }) => view);
    const { total } = await totalOf(tx, allSubmitters(filter), 'exact');
    const offset = (page - 1) * pageSize;
    const { text, values } = listSubmitters({ ...filter, limit: pageSize, offset });
    const rows = await tx.query<{ view: SubmitterView }>(text, values);
    const views = rows.map(({ view }) => view);
    return pageOf(views, total!, query);
  });
}

const advice = 'Search for at least three characters, and page by key with total=none.';
