import type { DataListView, ListOrder } from '@canvass/contracts';
import { kx, statement, type Queryable, type Tx } from '@canvass/postgres';

export interface ListRow {
  id: string;
  tenant_id: string;
  name: string;
  description: string | null;
  is_active: boolean;
  default_locale: string;
  available_locales: string[];
  items_order: ListOrder;
  items_count: number;
  /** The current version of the items. */
  items_version: string;
  revision: string;
  created_at: Date;
  modified_at: Date;
}

const columns = [
  'id',
  'tenant_id',
  'name',
  'description',
  'is_active',
  'default_locale',
  'available_locales',
  'items_order',
  'items_count',
  'items_version',
  'revision',
  'created_at',
  'modified_at',
];

/** The columns of an insert or update. */
export type ListColumns = Partial<
  Omit<ListRow, 'id' | 'tenant_id' | 'revision' | 'created_at' | 'modified_at'>
>;

export async function insertList(tx: Tx, tenantId: string, values: ListColumns): Promise<ListRow> {
  const rows = await tx.run<ListRow>(
    kx('data_lists')
      .insert({ tenant_id: tenantId, ...values })
      .returning(columns),
  );
  return rows[0]!;
}

/** All lists, as rows. */
export const selectLists = `select ${columns.join(', ')} from data_lists`;

const oneList = `${selectLists} where tenant_id = $tenantId and id = $id`;

const selectList = statement<{ tenantId: string; id: string }, ListRow>('list-by-id', oneList);

export async function selectListById(
  db: Queryable,
  tenantId: string,
  id: string,
): Promise<ListRow | undefined> {
  const [row] = await db.query(selectList({ tenantId, id }));
  return row;
}

const lockById = statement<{ tenantId: string; id: string }, ListRow>('list-lock', `${oneList} for update`);

/** Locks the row until the transaction ends, which serializes revisions and versions of a list. */
export async function lockListRow(tx: Tx, tenantId: string, id: string): Promise<ListRow | undefined> {
  const [row] = await tx.query(lockById({ tenantId, id }));
  return row;
}

/**
 * The row must be locked. Its revision grows by one. Uses the current time: the transaction of an import
 * begins with its upload.
 */
export async function updateListRow(tx: Tx, row: ListRow, values: ListColumns): Promise<ListRow> {
  const rows = await tx.run<ListRow>(
    kx('data_lists')
      .where({ tenant_id: row.tenant_id, id: row.id })
      .update({ ...values, revision: kx.raw('revision + 1'), modified_at: kx.raw('statement_timestamp()') })
      .returning(columns),
  );
  return rows[0]!;
}

export async function deleteListRow(tx: Tx, row: ListRow): Promise<void> {
  await tx.run(kx('data_lists').where({ tenant_id: row.tenant_id, id: row.id }).delete());
}

export interface ListFilter {
  /** Contained in name or description. Empty for no filter. */
  search: string;
  /** The list has one of them as available or default locale. Null for no filter. */
  locales: string[] | null;
}

const pageOfLists = statement<
  { tenantId: string; search: string; locales: string[] | null; limit: number; offset: number },
  ListRow & { total: string }
>(
  'lists-page',
  `with matched as (
     select ${columns.join(', ')}, folded from data_lists
     where tenant_id = $tenantId
       and ($search = '' or strpos(folded, fold($search)) > 0)
       and ($locales::text[] is null or available_locales && $locales or default_locale = any ($locales))
   )
   select (select count(*) from matched) as total, page.*
   from (select) one
   left join lateral (select * from matched order by folded, id limit $limit offset $offset) page on true`,
);

/** A page sorted by folded name, then id. `total` is exact even for a page past the end. */
export async function selectListPage(
  db: Queryable,
  tenantId: string,
  filter: ListFilter,
  window: { limit: number; offset: number },
): Promise<{ total: number; rows: ListRow[] }> {
  const rows = await db.query(pageOfLists({ tenantId, ...filter, ...window }));
  return { total: Number(rows[0]!.total), rows: rows.filter((row) => row.id !== null) };
}

/** The list in the API, without items. */
export function viewOf(row: ListRow): DataListView {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    isActive: row.is_active,
    defaultLocale: row.default_locale,
    availableLocales: row.available_locales,
    order: row.items_order,
    itemsCount: row.items_count,
    createdAt: row.created_at.toISOString(),
    modifiedAt: row.modified_at.toISOString(),
    revision: row.revision,
  };
}

/** The locales by which labels are read. */
export function localesOf(row: ListRow): { defaultLocale: string; availableLocales: string[] } {
  return { defaultLocale: row.default_locale, availableLocales: row.available_locales };
}
