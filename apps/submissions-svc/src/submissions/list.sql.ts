import type { SubmissionView } from '@canvass/contracts';
import type { Queryable, TextQuery } from '@canvass/postgres';
import { filterFields } from './filter-fields';
import { whereOf, type SubmissionFilter } from './filter.sql';

export interface ListOrder {
  sortBy: string;
  sortDir: 'asc' | 'desc';
}

/** Number of submissions that match the filter. */
export async function countSubmissions(db: Queryable, filter: SubmissionFilter): Promise<number> {
  const { where, values } = whereOf(filter);
  const [row] = await db.query<{ total: string }>(
    `select count(*) as total from submissions s where ${where}`,
    values,
  );
  return Number(row!.total);
}

/**
 * A page of them, in a total order: equal values are sorted by id, absent values come last. Null if their
 * answers exceed `mostBytes`; then none is read.
 */
export async function selectSubmissions(
  db: Queryable,
  filter: SubmissionFilter,
  order: ListOrder,
  { limit, offset, mostBytes }: { limit: number; offset: number; mostBytes: number },
): Promise<SubmissionView[] | null> {
  const { where, values } = whereOf(filter);
  const by = (place: number) => `$${values.length + place}`;
  const rows = await db.query<{ view: SubmissionView | null }>(
    `with page as materialized (
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

function orderOf({ sortBy, sortDir }: ListOrder): string {
  const { column } = filterFields[sortBy]!;
  return sortBy === 'id' ? `s.id ${sortDir}` : `${column} ${sortDir} nulls last, s.id ${sortDir}`;
}

/** The query of an export, in the order of ids: each row as one text. */
export function exportQuery(filter: SubmissionFilter, line: string): TextQuery {
  const { where, values } = whereOf(filter);
  // The index of the form's submissions has this order. Only for values of profile fields there is a better
  // one.
  const hasIndex = filter.conditions.some(
    (condition) =>
      'profileField' in condition && condition.operator === ':' && !condition.values.includes(''),
  );
  return {
    sql: `select ${line} from submissions s where ${where} order by s.id`,
    values,
    firstRowsSoon: !hasIndex,
  };
}
