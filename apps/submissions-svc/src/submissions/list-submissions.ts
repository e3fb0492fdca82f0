import type { SubmissionView } from '@canvass/contracts';
import { notFound, Problem, validationProblem } from '@canvass/errors';
import { endOfPart, planOf, readBounded, totalOf, type Database, type Queryable } from '@canvass/postgres';
import { withCounts, type CountedPage } from '@canvass/range-counts';
import { pageOf, type KeyPage, type KeyQuery, type Page } from '@canvass/service-kit';
import type { FormCounts } from '../counts';
import { columnsOf, pickAnswers, wholeSubmission } from './fields.sql';
import { countCreated, findIdTimes, inParts, type SubmissionFilter } from './filter.sql';
import type { ListQuery } from './filter-query';
import {
  countedPages,
  idsOfSlice,
  keyOrderOf,
  keySourceOf,
  mostRest,
  selectSlice,
  selectSubmissions,
} from './list.sql';
import { getFormName } from './read.sql';
import { isCounted, isOfAll, isOfTimes, isScan, type ScanTurns } from './scan-turns';

/** A page is held in memory. Ten submissions fit, even with the largest answers that can be configured. */
const mostPageBytes = 80 * 1024 * 1024;

const tooLarge = (parameter: string) =>
  validationProblem({
    [parameter]: [`must be smaller: the answers on this page have more than ${mostPageBytes} bytes`],
  });

/** Postgres expects to read millions of submissions for it, for about as long as a list may take. */
const mostCost = 500_000;

const advice =
  'Limit the creation by from and to (with sortBy=createdAt for a long time), filter by submitterId, sort by id, or page by key with total=none.';

/**
 * Submissions of a form.
 *
 * @throws {Problem} `not_found` for the form, `validation_failed` for a page with too large answers or an
 * invalid cursor, `query_too_broad` after 5 s, or at once if the plan of a page by key takes about as long
 */
export async function listSubmissions(
  db: Database,
  turns: ScanTurns,
  counts: FormCounts,
  filter: SubmissionFilter,
  query: ListQuery,
): Promise<Page<SubmissionView> | KeyPage<SubmissionView>> {
  const { tenantId, formId } = filter;
  const { byKey } = query;
  const assertForm = async () => {
    if ((await db.query(getFormName({ tenantId, formId }))).length === 0) throw notFound('form', formId);
  };
  const isScanned = isScan(query);
  // A deleted form may have millions of submissions.
  if (isScanned) await assertForm();
  const found = await withCounts(counts, async (ranges) => {
    if (ranges !== null && byKey === null && isCounted(query)) {
      const page = await countedPageOf(db, ranges, filter, query);
      if (page !== null) return page;
    }
    const read = async (reader: Queryable): Promise<Page<SubmissionView> | KeyPage<SubmissionView>> => {
      const timed = { ...filter, idsHaveTimes: await haveTimes(reader, filter, query) };
      return byKey === null
        ? pageByNumber(reader, ranges, timed, query)
        : pageByKey(reader, ranges, timed, query, byKey);
    };
    const bounded = () => readBounded(db, advice, read);
    if (isInParts(filter, query)) return turns.part(tenantId, bounded);
    if (isScanned) return turns.whole(tenantId, bounded);
    // A form that was not counted by ranges yet has to be counted whole.
    return byKey === null || byKey.total !== 'none' ? bounded() : read(db);
  });
  // A page has submissions only if the form exists.
  if (!isScanned && found.items.length === 0) await assertForm();
  return found;
}

/** Whether pages check a part of the submissions each, see `endOfPart`. A total needs all of them at once. */
const isInParts = (filter: SubmissionFilter, { sortBy, byKey }: ListQuery): boolean =>
  sortBy === 'id' && byKey?.total === 'none' && inParts(filter) !== null;

/** Whether the ids of the form contain the times of a list. In the order of times an index finds them. */
async function haveTimes(
  db: Queryable,
  { tenantId, formId, from, to }: SubmissionFilter,
  { sortBy }: ListQuery,
): Promise<boolean> {
  if ((from === null && to === null) || sortBy === 'createdAt') return false;
  const [found] = await db.query(findIdTimes({ tenantId, formId }));
  return found!.idsHaveTimes;
}

/** The exact number of submissions of a list. */
async function exactTotal(
  db: Queryable,
  counts: FormCounts | null,
  filter: SubmissionFilter,
  query: ListQuery,
): Promise<number> {
  if (counts !== null && isOfAll(query)) return counts.total(db, filter);
  if (filter.idsHaveTimes === true && isOfTimes(query))
    return Number((await db.query(countCreated(filter)))[0]!.total);
  return (await totalOf(db, keySourceOf(filter, query), 'exact')).total!;
}

/** A page of all submissions by number; null if too many of them are not counted by ranges yet. */
async function countedPageOf(
  db: Queryable,
  counts: FormCounts,
  { tenantId, formId }: SubmissionFilter,
  query: ListQuery,
): Promise<Page<SubmissionView> | null> {
  const { page, pageSize, sortDir } = query;
  const window = { limit: pageSize, offset: (page - 1) * pageSize, mostBytes: mostPageBytes };
  const rows = await db.query(countedPages[sortDir]({ tenantId, formId, ...window }));
  const count = rows[0]!;
  counts.counted({ tenantId, formId }, count);
  if (Number(count.rest) >= mostRest) return null;
  const views = rows.flatMap(({ id, view }) => (id === null ? [] : [view]));
  if (views.includes(null)) throw tooLarge('pageSize');
  return pageOf(views as SubmissionView[], Number(count.total), query);
}

async function pageByNumber(
  db: Queryable,
  counts: FormCounts | null,
  filter: SubmissionFilter,
  query: ListQuery,
): Promise<Page<SubmissionView>> {
  const { page, pageSize, sortDir } = query;
  const offset = (page - 1) * pageSize;
  const start: CountedPage =
    counts !== null && isCounted(query)
      ? await counts.page(db, filter, { offset, sortDir })
      : { total: await exactTotal(db, counts, filter, query), startId: null, offset };
  if (offset >= start.total) return pageOf([], start.total, query); // without a second search
  const window = { limit: pageSize, startId: start.startId, offset: start.offset, mostBytes: mostPageBytes };
  const items = await selectSubmissions(db, filter, query, window);
  if (items === null) throw tooLarge('pageSize');
  return pageOf(items, start.total, query);
}

/**
 * Where a page ends that checks conditions without an index; null for all others.
 *
 * @throws {Problem} `query_too_broad` if the plan of the page reads millions of submissions
 */
async function endOfPage(
  db: Queryable,
  filter: SubmissionFilter,
  query: ListQuery,
  window: KeyQuery,
): Promise<string | null> {
  if (!isScan(query)) return null;
  const part = query.sortBy === 'id' ? inParts(filter) : null;
  const [read, limit] = part === null ? [filter, window.limit] : [part.indexed, part.mostChecked];
  const { cost } = await planOf(db, idsOfSlice(read, query, { ...window, limit }));
  if (cost > mostCost) throw new Problem('query_too_broad', { detail: advice });
  if (part === null) return null;
  return endOfPart(db, [keySourceOf(part.indexed, query)], keyOrderOf(query), window, part.mostChecked);
}

async function pageByKey(
  db: Queryable,
  counts: FormCounts | null,
  filter: SubmissionFilter,
  query: ListQuery,
  window: KeyQuery,
): Promise<KeyPage<SubmissionView>> {
  const { fields } = query;
  const columns = fields === undefined ? wholeSubmission : columnsOf(fields);
  const end = await endOfPage(db, filter, query, window);
  const slice = await selectSlice(db, filter, query, { ...window, end, mostBytes: mostPageBytes }, columns);
  if (slice === null) throw tooLarge('limit');
  const { rows, next, previous } = slice;
  const total =
    window.total === 'exact'
      ? { total: await exactTotal(db, counts, filter, query), totalIsExact: true }
      : await totalOf(db, keySourceOf(filter, query), window.total);
  const items = rows.map(({ view, answers }) =>
    answers === null ? view : { ...view, answers: pickAnswers(answers, fields ?? []) },
  );
  return { items, next, previous, ...total };
}
