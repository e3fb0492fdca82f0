import type { SubmissionView } from '@canvass/contracts';
import { notFound, validationProblem } from '@canvass/errors';
import { readBounded, totalOf, type Database, type Queryable } from '@canvass/postgres';
import type { KeyPage, KeyQuery } from '@canvass/service-kit';
import { columnsOf, pickAnswers, wholeSubmission } from './fields.sql';
import { isOfTime, type SubmissionFilter } from '../filters';
import type { ListQuery } from './filter-query';
import { keySourceOf, selectSlice, type ListOrder } from './list.sql';
import { getFormName } from './read.sql';

/** A page is held in memory. Ten submissions fit, even with the largest answers that can be configured. */
const maxPageBytes = 80 * 1024 * 1024;

const advice =
  'Limit the creation by from and to, filter by submitterId, a profile field or a status other than new, sort by createdAt, completedAt or id, and ask without total.';

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
): Promise<KeyPage<SubmissionView>> {
  const { tenantId, formId } = filter;
  const [form] = await db.query(getFormName({ tenantId, formId }));
  if (!form) throw notFound('form', formId);
  const { sortDir, sortBy = isOfTime(filter) ? 'createdAt' : 'id' } = query;
  const order = { sortBy, sortDir };
  const read = (reader: Queryable) => readPage(reader, filter, order, query);
  return isFirstOfIndex(filter, order, query) ? read(db) : readBounded(db, advice, read);
}

/** Returns whether the page has the next submissions of the form, whatever they are, in index order. */
const isFirstOfIndex = (filter: SubmissionFilter, { sortBy }: ListOrder, { total }: KeyQuery): boolean =>
  sortBy === 'id' &&
  total === 'none' &&
  filter.conditions.length === 0 &&
  filter.search === null &&
  !isOfTime(filter);

async function readPage(
  db: Queryable,
  filter: SubmissionFilter,
  order: ListOrder,
  { fields, ...window }: ListQuery,
): Promise<KeyPage<SubmissionView>> {
  const columns = fields === undefined ? wholeSubmission : columnsOf(fields);
  const slice = await selectSlice(db, filter, order, { ...window, maxBytes: maxPageBytes }, columns);
  if (slice === null)
    throw validationProblem({
      limit: [`must be smaller: the answers on this page have more than ${maxPageBytes} bytes`],
    });
  const { rows, next, previous } = slice;
  const total = await totalOf(db, [keySourceOf(filter, order)], window.total);
  const items = rows.map(({ view, answers }) =>
    answers === null ? view : { ...view, answers: pickAnswers(answers, fields ?? []) },
  );
  return { items, next, previous, ...total };
}
