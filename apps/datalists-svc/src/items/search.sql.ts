import type { DataListItem } from '@canvass/contracts';
import type { Queryable } from '@canvass/postgres';
import type { ItemsVersion } from './items.sql';
import type { LabelKeys } from './projection';

export const matchModes = ['Contains', 'StartsWith', 'Exact'] as const;
export type MatchMode = (typeof matchModes)[number];

export interface Search {
  /** Folded; empty: every item matches. */
  query: string;
  matchMode: MatchMode;
  keys: LabelKeys;
  /** A name from pg_collation, see `createCollations`. */
  collation: string;
  limit: number;
  offset: number;
}

/** Worst rank (of 0 exact, 1 prefix, 2 contained) that a mode lets through. */
const worstRank: Record<MatchMode, number> = { Exact: 0, StartsWith: 1, Contains: 2 };

/**
 * A page of matching items: exact matches first, then prefixes, then the rest; within that by shown label under the
 * collation, then by value. The query is compared by strpos and starts_with, so that `%` and `_` are plain characters.
 * `total` is exact also for a page past the end.
 */
export async function searchItems(
  db: Queryable,
  from: ItemsVersion,
  search: Search,
): Promise<{ total: number; items: DataListItem[] }> {
  const values: unknown[] = [
    from.tenantId,
    from.listId,
    from.version,
    search.query,
    search.keys.shown,
    search.limit,
    search.offset,
  ];
  const fields = ['folded_value', `coalesce(folded_labels ->> $5, folded_labels ->> 'default')`];
  for (const key of search.keys.included) fields.push(`folded_labels ->> $${values.push(key)}`);
  const rows = await db.query<DataListItem & { total: string }>(
    pageSql(fields, worstRank[search.matchMode], search.collation),
    values,
  );
  const items = rows.filter((row) => row.value !== null).map(({ value, labels }) => ({ value, labels }));
  return { total: Number(rows[0]!.total), items };
}

function pageSql(fields: readonly string[], worst: number, collation: string): string {
  // least() skips nulls: a field that an item lacks or that does not match.
  const ranks = fields.map(
    (field) =>
      `case when ${field} = $4 then 0 when starts_with(${field}, $4) then 1 when strpos(${field}, $4) > 0 then 2 end`,
  );
  const sorted = `"${collation.replaceAll('"', '""')}"`;
  return `
    with matched as (
      select value, labels, coalesce(labels ->> $5, labels ->> 'default') as shown,
             case when $4 = '' then 0 else least(${ranks.join(', ')}) end as rank
      from items where tenant_id = $1 and list_id = $2 and version = $3
    ), counted as (
      select * from matched where rank <= ${worst}
    )
    select (select count(*) from counted) as total, page.*
    from (select) one
    left join lateral (
      select value, labels from counted order by rank, shown collate ${sorted}, value limit $6 offset $7
    ) page on true`;
}
