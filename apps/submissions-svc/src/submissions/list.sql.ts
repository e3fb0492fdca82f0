import type { SubmissionView } from '@canvass/contracts';
import {
  keyPageQuery,
  keySliceOf,
  statement,
  type KeyOrder,
  type KeySlice,
  type KeySource,
  type KeyType,
  type KeyWindow,
  type LongQuery,
  type Queryable,
  type WithKeys,
} from '@canvass/postgres';
import { placeSql, type PageRow } from '@canvass/range-counts';
import { countedSubmissions, type FormKey } from '../counts';
import type { RowColumns } from './fields.sql';
import { filterFields, type FieldKind } from './filter-fields';
import { whereOf, type SubmissionFilter } from './filter.sql';

export interface ListOrder {
  sortBy: string;
  sortDir: 'asc' | 'desc';
}

/** A page by number. */
export interface PageWindow {
  limit: number;
  offset: number;
  /** The offset counts from this id on, see `FormCounts`. Null: from the beginning. */
  startId: string | null;
  mostBytes: number;
}

/** Whether the form of a filter exists. `whereOf` begins with its parameters. */
const formExists =
  '(select exists (select from forms where tenant_id = $1::bigint and id = $2::bigint and deleted_at is null))';

/**
 * A page by number, in a total order: equal values are sorted by id, absent values come last. None if the
 * form does not exist. Null if their answers exceed `mostBytes`; then none is read.
 */
export async function selectSubmissions(
  db: Queryable,
  filter: SubmissionFilter,
  order: ListOrder,
  { limit, offset, startId, mostBytes }: PageWindow,
): Promise<SubmissionView[] | null> {
  const { where: matching, values } = whereOf(filter);
  const where =
    startId === null
      ? matching
      : `${matching} and s.id ${order.sortDir === 'asc' ? '>=' : '<'} $${values.push(startId)}::bigint`;
  const by = (place: number) => `$${values.length + place}`;
  const rows = await db.query<{ view: SubmissionView | null }>(
    `with page as materialized (
       select tenant_id, id, row_number() over () as place from (
         select s.tenant_id, s.id from submissions s where ${where} order by ${orderOf(order)} limit ${by(1)} offset ${by(2)}) s
     ), size as (
       select sum(octet_length(json_data) + octet_length(metadata)) as bytes from page join submissions using (tenant_id, id)
     )
     select case when (select bytes from size) <= ${by(3)}::bigint then submission_json(s) end as view
     from page join submissions s using (tenant_id, id) where ${formExists} order by place`,
    [...values, limit, offset, mostBytes],
  );
  const views = rows.map(({ view }) => view);
  return views.includes(null) ? null : (views as SubmissionView[]);
}

/** A page counts fewer submissions than this one by one, which takes some hundredths of a second. */
export const mostRest = 100_000;

/** A row of a page by number, and the count of its list. An empty page has one row without a submission. */
export type CountedRow = PageRow & {
  id: string | null;
  /** Null if the answers of the page exceed `mostBytes`. */
  view: SubmissionView | null;
};

/** For a subquery per row. Postgres plans without the limit, so a join would read the whole form. */
const ofPage = 's.tenant_id = page.tenant_id and s.id = page.id';

const countedPage = (direction: 'asc' | 'desc') =>
  statement<FormKey & { limit: number; offset: number; mostBytes: number }, CountedRow>(
    `submissions_counted_page_${direction}`,
    `with place as materialized (${placeSql(countedSubmissions, direction, mostRest)}),
     page as materialized (
       select s.tenant_id, s.id from submissions s
       where s.tenant_id = $tenantId::bigint and s.form_id = $formId::bigint and s.deleted_at is null
         and ${
           direction === 'asc'
             ? 's.id >= (select coalesce(bound, 0) from place)'
             : 's.id < (select coalesce(bound, 9223372036854775807) from place)'
         }
         and (select rest < ${mostRest} from place)
       order by s.id ${direction}
       limit $limit::bigint offset (select $offset - coalesce(skipped, 0) from place)
     ), size as (
       select sum((select octet_length(json_data) + octet_length(metadata) from submissions s where ${ofPage})) as bytes
       from page
     )
     select place.*, page.id, case when (select bytes from size) <= $mostBytes::bigint
       then (select submission_json(s) from submissions s where ${ofPage}) end as view
     from place left join page on exists (
       select from forms where tenant_id = $tenantId::bigint and id = $formId::bigint and deleted_at is null)
     order by page.id ${direction}`,
  );

/**
 * Counts all submissions of a form and reads a page by number, sorted by id. The page is empty if the form
 * does not exist, or if `mostRest` submissions or more are not in a range yet. Then the count is not exact.
 */
export const countedPages = { asc: countedPage('asc'), desc: countedPage('desc') };

/** Submissions of a filter with their `id` and `key`, the source of pages by key and of totals. */
export function keySourceOf(filter: SubmissionFilter, order: ListOrder): KeySource {
  const { where, values } = whereOf(filter);
  const key = order.sortBy === 'id' ? '' : `, ${filterFields[order.sortBy]!.column} as key`;
  return { text: `select s.tenant_id, s.id${key} from submissions s where ${where}`, values };
}

const keyTypes: Record<FieldKind, KeyType> = {
  integer: 'integer',
  bigint: 'bigint',
  boolean: 'boolean',
  time: 'time',
  text: 'text',
  choice: 'text',
};

export function keyOrderOf({ sortBy, sortDir }: ListOrder): KeyOrder {
  if (sortBy === 'id') return { name: 'id', direction: sortDir };
  const { kind, nullable = false } = filterFields[sortBy]!;
  return { name: sortBy, direction: sortDir, key: { type: keyTypes[kind], isNullable: nullable } };
}

/** A submission, or its chosen members. */
export interface SubmissionRow {
  view: SubmissionView;
  /** JSON text of the answers, if some are chosen. */
  answers: string | null;
}

/** The query for the ids of a page by key. @throws {Problem} `validation_failed` for the cursor */
export const idsOfSlice = (filter: SubmissionFilter, order: ListOrder, window: KeyWindow): KeySource =>
  keyPageQuery([keySourceOf(filter, order)], keyOrderOf(order), window);

/**
 * A page by key. Only the answers of its own submissions are read; none and null as in `selectSubmissions`.
 *
 * @throws {Problem} `validation_failed` for the cursor
 */
export async function selectSlice(
  db: Queryable,
  filter: SubmissionFilter,
  order: ListOrder,
  window: KeyWindow & { mostBytes: number },
  columns: RowColumns,
): Promise<KeySlice<SubmissionRow> | null> {
  const keyOrder = keyOrderOf(order);
  const { text, values } = idsOfSlice(filter, order, window);
  const by = (place: number) => `$${values.length + place}`;
  const bytes = columns.isLarge ? 'octet_length(json_data) + octet_length(metadata)' : '0';
  const rows = await db.query<WithKeys<SubmissionRow & { fits: boolean }>>(
    `with page as materialized (select x.*, row_number() over () as place from (${text}) x),
     size as materialized (
       select sum(${bytes}) <= ${by(2)}::bigint as fits
       from page join submissions using (tenant_id, id) where place <= ${by(1)}
     )
     select page.keys, size.fits, case when size.fits and place <= ${by(1)} then ${columns.view} end as view,
       case when size.fits and place <= ${by(1)} then ${columns.answers} end as answers
     from size cross join page join submissions s using (tenant_id, id) where ${formExists} order by place`,
    [...values, window.limit, window.mostBytes],
  );
  return rows[0]?.fits === false ? null : keySliceOf(rows, keyOrder, window);
}

function orderOf({ sortBy, sortDir }: ListOrder): string {
  const { column } = filterFields[sortBy]!;
  return sortBy === 'id' ? `s.id ${sortDir}` : `${column} ${sortDir} nulls last, s.id ${sortDir}`;
}

/** The query of an export, in the order of ids: each row as one text. */
export function exportQuery(filter: SubmissionFilter, line: string): LongQuery {
  const { where, values } = whereOf(filter);
  // The index of the form's submissions has this order. Only for times of creation and values of profile
  // fields there is a better one.
  const hasIndex =
    filter.from !== null ||
    filter.to !== null ||
    filter.conditions.some(
      (condition) =>
        'profileField' in condition && condition.operator === ':' && !condition.values.includes(''),
    );
  return {
    sql: `select ${line} from submissions s where ${where} order by s.id`,
    values,
    firstRowsSoon: !hasIndex,
  };
}

/** The query of an export with answers, in the order of ids: the cells of each row and its answers. */
export function answersQuery(filter: SubmissionFilter, cells: string): LongQuery {
  const { where, values } = whereOf(filter);
  return { sql: `select ${cells}, s.json_data from submissions s where ${where} order by s.id`, values };
}
