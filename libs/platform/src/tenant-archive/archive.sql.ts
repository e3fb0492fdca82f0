import type { Queryable } from '@canvass/postgres';
import { tenantColumnOf, type ArchivedTable } from './tables';

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const listOf = (names: readonly string[]) => names.map(quoted).join(', ');

/** A column of a table that has values of its own. */
export interface Column {
  name: string;
  type: string;
}

/** The columns of a table of this service, without generated ones. */
export const columnsOf = (db: Queryable, table: string): Promise<Column[]> =>
  db.query<Column>(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  );

/** Ids do not fit a number of JSON: they are texts, as in the API. */
const textOf = ({ name, type }: Column): string =>
  type === 'bigint' || type === 'bigint[]' ? `t.${quoted(name)}::text${type.slice(6)}` : `t.${quoted(name)}`;

/** The rows of the tenant $1, each as the text of a JSON object, in the order of their key. */
export function selectRows(table: ArchivedTable, columns: readonly Column[]): string {
  const tenant = tenantColumnOf(table);
  const members = columns.map((column) => `'${column.name}', ${textOf(column)}`).join(', ');
  const order = [tenant, ...table.key].map((name) => `t.${quoted(name)}`).join(', ');
  return `select json_build_object(${members})::text as row from ${quoted(table.name)} t
    where t.${quoted(tenant)} = $1 and (${table.where ?? 'true'}) order by ${order}`;
}

/**
 * Inserts the rows of $1 (a JSON list) for the tenant $2, with values of $3 (a JSON object) for the columns
 * `filled`. What is there already stays as it is. Returns the number of inserted rows.
 */
export function insertRows(
  table: ArchivedTable,
  columns: readonly string[],
  filled: readonly string[],
): string {
  const tenant = tenantColumnOf(table);
  const archived = columns.filter((name) => name !== tenant);
  const from = [
    '$2::bigint',
    ...archived.map((name) => `r.${quoted(name)}`),
    ...filled.map((name) => `f.${quoted(name)}`),
  ];
  const row = `null::${quoted(table.name)}`;
  return `with inserted as (
      insert into ${quoted(table.name)} (${listOf([tenant, ...archived, ...filled])})
      select ${from.join(', ')} from json_populate_recordset(${row}, $1::json) r,
        json_populate_record(${row}, $3::json) f
      on conflict do nothing returning 1)
    select count(*)::int as count from inserted`;
}

/** Counts how many rows of $1 the tenant $2 has now, by their keys. */
export function countPresent(table: ArchivedTable): string {
  const same = table.key.map((name) => `t.${quoted(name)} = r.${quoted(name)}`);
  return `select count(*)::int as count
    from json_populate_recordset(null::${quoted(table.name)}, $1::json) r
    join ${quoted(table.name)} t on t.${quoted(tenantColumnOf(table))} = $2::bigint
      ${same.map((condition) => `and ${condition}`).join(' ')}`;
}

/** A row if the tenant $1 has one. */
export const hasRows = (table: ArchivedTable): string =>
  `select 1 from ${quoted(table.name)} where ${quoted(tenantColumnOf(table))} = $1::bigint limit 1`;
