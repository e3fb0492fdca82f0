import type { SubmissionView } from '@canvass/contracts';
import { notFound, validationProblem } from '@canvass/errors';
import {
  estimateRows,
  readBounded,
  sqlState,
  totalOf,
  type Database,
  type Queryable,
} from '@canvass/postgres';
import { pageOf, type KeyPage, type KeyQuery, type Page } from '@canvass/service-kit';
import type { CountedPage, FormCounts } from '../counts';
import { columnsOf, pickAnswers, wholeSubmission } from './fields.sql';
import type { SubmissionFilter } from './filter.sql';
import type { ListQuery } from './filter-query';
import { keySourceOf, selectSlice, selectSubmissions, type ListOrder } from './list.sql';
import { getFormName } from './read.sql';
import { isOfAll, isScan, type InTurn } from './scan-turns';

/** A page is held in memory. Ten submissions fit, even with the largest answers that can be configured. */
const mostPageBytes = 80 * 1024 * 1024;

const tooLarge = (parameter: string) =>
  validationProblem({
    [parameter]: [`must be smaller: the answers on this page have more than ${mostPageBytes} bytes`],
  });

/** Submissions that are read and sorted for a page. */
const mostSorted = 50_000;
const newestFirst: ListOrder = { sortBy: 'id', sortDir: 'desc' };

const advice =
  'Limit the creation by from and to (with sortBy=createdAt for a long time), filter by submitterId, sort by id, or page by key with total=none.';

type OrderedQuery = ListQuery & ListOrder;

/**
 * Submissions of a form.
 *
 * @throws {Problem} `not_found` for the form, `validation_failed` for a page with too large answers or an
 * invalid cursor, `query_too_broad` after 5 s
 */
export async function listSubmissions(
  db: Database,
  inTurn: InTurn,
  counts: FormCounts,
  filter: SubmissionFilter,
  query: ListQuery,
): Promise<Page<SubmissionView> | KeyPage<SubmissionView>> {
  const { tenantId, formId } = filter;
  const [form] = await db.query(getFormName({ tenantId, formId }));
  if (!form) throw notFound('form', formId);
  const { byKey } = query;
  const readWith = (ranges: FormCounts | null) => {
    const read = async (reader: Queryable): Promise<Page<SubmissionView> | KeyPage<SubmissionView>> => {
      const sortsAfterwards = query.sortBy === 'id' && (await isShortTime(reader, filter));
      const ordered = { ...query, sortsAfterwards };
      return byKey === null
        ? pageByNumber(reader, ranges, filter, ordered)
        : pageByKey(reader, ranges, filter, ordered, byKey);
    };
    if (isScan(query)) return inTurn(tenantId, () => readBounded(db, advice, read));
    // A form that was not counted by ranges yet has to be counted whole.
    return byKey === null || byKey.total !== 'none' ? readBounded(db, advice, read) : read(db);
  };
  return readWith(counts).catch((error: unknown) => {
    // The schema may be one version older (decision 0015).
    if (sqlState(error) !== undefinedTable) throw error;
    return readWith(null);
  });
}

/** SQLSTATE of a table that does not exist. */
const undefinedTable = '42P01';

/** Whether the times of the filter contain so few submissions that they can be sorted. */
async function isShortTime(db: Queryable, filter: SubmissionFilter): Promise<boolean> {
  if ((filter.from === null && filter.to === null) || filter.isDeleted) return false;
  const created = { ...filter, conditions: [], search: null, ids: null };
  return (await estimateRows(db, keySourceOf(created, newestFirst))) <= mostSorted;
}

async function pageByNumber(
  db: Queryable,
  counts: FormCounts | null,
  filter: SubmissionFilter,
  query: OrderedQuery,
): Promise<Page<SubmissionView>> {
  const { page, pageSize, sortBy, sortDir } = query;
  const offset = (page - 1) * pageSize;
  const ranges = isOfAll(query) ? counts : null;
  let start: CountedPage;
  if (ranges !== null && sortBy === 'id') start = await ranges.page(db, filter, { offset, sortDir });
  else {
    const total =
      ranges === null
        ? (await totalOf(db, keySourceOf(filter, query), 'exact')).total!
        : await ranges.total(db, filter);
    start = { total, startId: null, offset };
  }
  const window = { limit: pageSize, startId: start.startId, offset: start.offset, mostBytes: mostPageBytes };
  const items = await selectSubmissions(db, filter, query, window);
  if (items === null) throw tooLarge('pageSize');
  return pageOf(items, start.total, query);
}

async function pageByKey(
  db: Queryable,
  counts: FormCounts | null,
  filter: SubmissionFilter,
  query: OrderedQuery,
  window: KeyQuery,
): Promise<KeyPage<SubmissionView>> {
  const { fields } = query;
  const columns = fields === undefined ? wholeSubmission : columnsOf(fields);
  const slice = await selectSlice(db, filter, query, { ...window, mostBytes: mostPageBytes }, columns);
  if (slice === null) throw tooLarge('limit');
  const { rows, next, previous } = slice;
  const total =
    counts !== null && window.total === 'exact' && isOfAll(query)
      ? { total: await counts.total(db, filter), totalIsExact: true }
      : await totalOf(db, keySourceOf(filter, query), window.total);
  const items = rows.map(({ view, answers }) =>
    answers === null ? view : { ...view, answers: pickAnswers(answers, fields ?? []) },
  );
  return { items, next, previous, ...total };
}
