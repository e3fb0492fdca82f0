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
import { answeredAt } from '../answer-texts';
import type { RowColumns } from './fields.sql';
import { filterFields, type FieldKind, whereOf, type SubmissionFilter } from '../filters';

export interface ListOrder {
  sortBy: string;
  sortDir: 'asc' | 'desc';
}

/** Submissions of a filter with their `id` and `key`, for pages and totals. */
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
 * A page in a total order: equal values are sorted by id, absent values come last. Only the answers of its
 * own submissions are read. Null if they exceed `maxBytes`; then none is read.
 *
 * @throws {Problem} `validation_failed` for the cursor
 */
export async function selectSlice(
  db: Queryable,
  filter: SubmissionFilter,
  order: ListOrder,
  window: KeyWindow & { maxBytes: number },
  columns: RowColumns,
): Promise<KeySlice<SubmissionRow> | null> {
  const keyOrder = keyOrderOf(order);
  const sources = [keySourceOf(filter, order)];
  const { text, values } = keyPageQuery(sources, keyOrder, window);
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
    [...values, window.limit, window.maxBytes],
  );
  return rows[0]?.fits === false ? null : keySliceOf(rows, sources, keyOrder, window);
}

/** The query of an export, in the order of ids: each row as one text. */
export function exportQuery(filter: SubmissionFilter, line: string): LongQuery {
  const { where, values } = whereOf(filter);
  return { sql: `select ${line} from submissions s where ${where} order by s.id`, values };
}

/** The query of an export with answers, in the order of ids: cells, answers and their time of each row. */
export function answersQuery(filter: SubmissionFilter, cells: string): LongQuery {
  const { where, values } = whereOf(filter);
  return {
    sql: `select ${cells}, s.json_data, ${answeredAt} from submissions s where ${where} order by s.id`,
    values,
  };
}
