import { notFound } from '@canvass/errors';
import {
  newestFirst,
  readBounded,
  readKeyPage,
  totalOf,
  type Database,
  type Queryable,
} from '@canvass/postgres';
import { withCounts } from '@canvass/range-counts';
import { pageOf, type KeyPage, type KeyQuery, type Page, type Paging } from '@canvass/service-kit';
import type { SubmitterCounts } from '../counts';
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
  counts: SubmitterCounts,
  tenantId: string,
  query: Paging & { search?: string },
): Promise<Page<SubmitterView> | KeyPage<SubmitterView>> {
  const { byKey } = query;
  const filter = { tenantId, search: query.search || null };
  return withCounts(filter.search === null ? counts : null, (ranges) =>
    readBounded(db, advice, (tx): Promise<Page<SubmitterView> | KeyPage<SubmitterView>> =>
      byKey === null ? byNumber(tx, ranges, filter, query) : byKeyOf(tx, ranges, filter, byKey),
    ),
  );
}

interface SubmitterFilter {
  tenantId: string;
  search: string | null;
}

async function byNumber(
  db: Queryable,
  counts: SubmitterCounts | null,
  filter: SubmitterFilter,
  query: Paging,
): Promise<Page<SubmitterView>> {
  const { page, pageSize } = query;
  const offset = (page - 1) * pageSize;
  const start =
    counts === null
      ? { ...(await totalOf(db, allSubmitters(filter), 'exact')), startId: null, offset }
      : await counts.page(db, filter, { offset, sortDir: 'desc' });
  if (offset >= start.total!) return pageOf<SubmitterView>([], start.total!, query); // without a second search
  const window = { limit: pageSize, offset: start.offset, below: start.startId };
  const { text, values } = listSubmitters({ ...filter, ...window });
  const rows = await db.query<{ view: SubmitterView }>(text, values);
  const views = rows.map(({ view }) => view);
  return pageOf(views, start.total!, query);
}

async function byKeyOf(
  db: Queryable,
  counts: SubmitterCounts | null,
  filter: SubmitterFilter,
  window: KeyQuery,
): Promise<KeyPage<SubmitterView>> {
  const isCounted = counts !== null && window.total === 'exact';
  const asked = isCounted ? ({ ...window, total: 'none' } as const) : window;
  const page = await readKeyPage(db, allSubmitters(filter), newestFirst, asked, ({ view }) => view);
  return isCounted ? { ...page, total: await counts.total(db, filter), totalIsExact: true } : page;
}

const advice = 'Search for at least three characters, and page by key with total=none.';
