import { notFound } from '@canvass/errors';
import {
  countRows,
  newestFirst,
  readBounded,
  readKeyPage,
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
  const { byKey } = query;
  const filter = { tenantId, search: query.search || null };
  const all = allSubmitters(filter);
  return readBounded(db, advice, (tx): Promise<Page<SubmitterView> | KeyPage<SubmitterView>> =>
    byKey === null
      ? byNumber(tx, filter, query)
      : readKeyPage(tx, all, newestFirst, byKey, ({ view }) => view),
  );
}

async function byNumber(
  db: Queryable,
  filter: { tenantId: string; search: string | null },
  query: Paging,
): Promise<Page<SubmitterView>> {
  const { page, pageSize } = query;
  const offset = (page - 1) * pageSize;
  const total = await countRows(db, allSubmitters(filter));
  if (offset >= total) return pageOf<SubmitterView>([], total, query); // without a second search
  const { text, values } = listSubmitters({ ...filter, limit: pageSize, offset });
  const rows = await db.query<{ view: SubmitterView }>(text, values);
  const views = rows.map(({ view }) => view);
  return pageOf(views, total, query);
}

const advice = 'Search for at least three characters, and page by key with total=none.';
