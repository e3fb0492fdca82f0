import type { SubmissionView } from '@canvass/contracts';
import type { Queryable, TextQuery } from '@canvass/postgres';
import { filterFields } from './filter-fields';
import { whereOf, type SubmissionFilter } from './filter.sql';

export interface ListOrder {
  sortBy: string;
  sortDir: 'asc' | 'desc';
}

/** How many submissions the filter lets through. */
export async function countSubmissions(db: Queryable, filter: SubmissionFilter): Promise<number> {
  const { where, values } = whereOf(filter);
  const [row] = await db.query<{ total: string }>(
    `select count(*) as total from submissions s where ${where}`,
    values,
  );
  return Number(row!.total);
}

/** A window of them; the id decides between equals and absent values come last, so that the order is total. */
export async function selectSubmissions(
  db: Queryable,
  filter: SubmissionFilter,
  order: ListOrder,
  { limit, offset }: { limit: number; offset: number },
): Promise<SubmissionView[]> {
  const { where, values } = whereOf(filter);
  const rows = await db.query<{ view: SubmissionView }>(
    `select submission_json(s) as view from submissions s where ${where}
     order by ${orderOf(order)} limit $${values.length + 1} offset $${values.length + 2}`,
    [...values, limit, offset],
  );
  return rows.map(({ view }) => view);
}

function orderOf({ sortBy, sortDir }: ListOrder): string {
  const { column } = filterFields[sortBy]!;
  return sortBy === 'id' ? `s.id ${sortDir}` : `${column} ${sortDir} nulls last, s.id ${sortDir}`;
}

/** The query of an export, in the order of ids: each row as one text. */
export function exportQuery(filter: SubmissionFilter, line: string): TextQuery {
  const { where, values } = whereOf(filter);
  // The index of the form's submissions has them in this order. Only for values of profile fields there is a better one.
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
