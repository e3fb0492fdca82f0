import type { SubmissionView } from '@canvass/contracts';
import { notFound, validationProblem } from '@canvass/errors';
import { countRows, readBounded, totalOf, type Database, type Queryable } from '@canvass/postgres';
import { pageOf, type KeyPage, type KeyQuery, type Page } from '@canvass/service-kit';
import { columnsOf, pickAnswers, wholeSubmission } from './fields.sql';
import { isOfTime, type SubmissionFilter } from './filter.sql';
import type { ListQuery } from './filter-query';
import { keySourceOf, selectSlice, selectSubmissions, type ListOrder } from './list.sql';
import { getFormName } from './read.sql';

/** A page is held in memory. Ten submissions fit, even with the largest answers that can be configured. */
const mostPageBytes = 80 * 1024 * 1024;

const tooLarge = (parameter: string) =>
  validationProblem({
    [parameter]: [`must be smaller: the answers on this page have more than ${mostPageBytes} bytes`],
  });

const advice =
  'Limit the creation by from and to, filter by submitterId, a profile field or a status other than new, sort by createdAt, completedAt or id, or page by key with total=none.';

/**
 * Submissions of a form.
 *
 * @throws {Problem} `not_found` for the form, `validation_failed` for a page with too large answers or an
 * invalid cursor, `query_too_broad` after 5 s
 */
export async function listSubmissions(
  db: Database,
  filter: SubmissionFilter,
  query: ListQuery,
): Promise<Page<SubmissionView> | KeyPage<SubmissionView>> {
  const { tenantId, formId } = filter;
  const [form] = await db.query(getFormName({ tenantId, formId }));
  if (!form) throw notFound('form', formId);
  const { sortDir, sortBy = isOfTime(filter) ? 'createdAt' : 'id', byKey } = query;
  const order = { sortBy, sortDir };
  if (byKey === null) return readBounded(db, advice, (reader) => pageByNumber(reader, filter, order, query));
  const read = (reader: Queryable) => pageByKey(reader, filter, order, byKey, query.fields);
  return isFirstOfIndex(filter, order, byKey) ? read(db) : readBounded(db, advice, read);
}

/** Whether the page has the next submissions of the form, whatever they are: an index has them in order. */
const isFirstOfIndex = (filter: SubmissionFilter, { sortBy }: ListOrder, { total }: KeyQuery): boolean =>
  sortBy === 'id' &&
  total === 'none' &&
  filter.conditions.length === 0 &&
  filter.search === null &&
  !isOfTime(filter);

async function pageByNumber(
  db: Queryable,
  filter: SubmissionFilter,
  order: ListOrder,
  query: ListQuery,
): Promise<Page<SubmissionView>> {
  const { page, pageSize } = query;
  const window = { limit: pageSize, offset: (page - 1) * pageSize, mostBytes: mostPageBytes };
  const total = await countRows(db, keySourceOf(filter, order));
  if (window.offset >= total) return pageOf([], total, query); // without a second search
  const items = await selectSubmissions(db, filter, order, window);
  if (items === null) throw tooLarge('pageSize');
  return pageOf(items, total, query);
}

async function pageByKey(
  db: Queryable,
  filter: SubmissionFilter,
  order: ListOrder,
  window: KeyQuery,
  fields: string[] | undefined,
): Promise<KeyPage<SubmissionView>> {
  const columns = fields === undefined ? wholeSubmission : columnsOf(fields);
  const slice = await selectSlice(db, filter, order, { ...window, mostBytes: mostPageBytes }, columns);
  if (slice === null) throw tooLarge('limit');
  const { rows, next, previous } = slice;
  const total = await totalOf(db, keySourceOf(filter, order), window.total);
  const items = rows.map(({ view, answers }) =>
    answers === null ? view : { ...view, answers: pickAnswers(answers, fields ?? []) },
  );
  return { items, next, previous, ...total };
}
