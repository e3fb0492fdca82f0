import type { SubmissionView } from '@canvass/contracts';
import {
  keyPageQuery,
  keySliceOf,
  type KeyOrder,
  type KeySlice,
  type KeySource,
  type KeyType,
  type KeyWindow,
  type LongQuery,
  type Queryable,
  type WithKeys,
} from '@canvass/postgres';
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
  mostBytes: number;
}

/**
 * A page by number, in a total order: equal values are sorted by id, absent values come last. Null if their
 * answers exceed `mostBytes`; then none is read.
 */
export async function selectSubmissions(
  db: Queryable,
  filter: SubmissionFilter,
  order: ListOrder,
  { limit, offset, mostBytes }: PageWindow,
): Promise<SubmissionView[] | null> {
  const { where, values } = whereOf(filter);
  const by = (place: number) => `$${values.length + place}`;
  const rows = await db.query<{ view: SubmissionView | null }>(
    `with page as (
       select tenant_id, id, row_number() over () as place from (
         select s.tenant_id, s.id from submissions s where ${where} order by ${orderOf(order)} limit ${by(1)} offset ${by(2)}) s
     ), size as (
       select sum(octet_length(json_data) + octet_length(metadata)) as bytes from page join submissions using (tenant_id, id)
     )
     select case when (select bytes from size) <= ${by(3)}::bigint then submission_json(s) end as view
     from page join submissions s using (tenant_id, id) order by place`,
    [...values, limit, offset, mostBytes],
  );
  const views = rows.map(({ view }) => view);
  return views.includes(null) ? null : (views as SubmissionView[]);
}

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

/**
 * A page by key. Only the answers of its own submissions are read; null as in `selectSubmissions`.
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
  const { text, values } = keyPageQuery([keySourceOf(filter, order)], keyOrder, window);
  const by = (place: number) => `$${values.length + place}`;
  const bytes = columns.isLarge ? 'octet_length(json_data) + octet_length(metadata)' : '0';
  const rows = await db.query<WithKeys<SubmissionRow & { fits: boolean }>>(
    `with page as (select x.*, row_number() over () as place from (${text}) x),
     size as (
       select sum(${bytes}) <= ${by(2)}::bigint as fits
       from page join submissions using (tenant_id, id) where place <= ${by(1)}
     )
     select page.keys, size.fits, case when size.fits and place <= ${by(1)} then ${columns.view} end as view,
       case when size.fits and place <= ${by(1)} then ${columns.answers} end as answers
     from size cross join page join submissions s using (tenant_id, id) order by place`,
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
  return { sql: `select ${line} from submissions s where ${where} order by s.id`, values };
}

/** The query of an export with answers, in the order of ids: the cells of each row and its answers. */
export function answersQuery(filter: SubmissionFilter, cells: string): LongQuery {
  const { where, values } = whereOf(filter);
  return { sql: `select ${cells}, s.json_data from submissions s where ${where} order by s.id`, values };
}
