import { statement, type Queryable } from '@canvass/postgres';
import { labelKeysOf, localesOf, type ListRow } from '../catalog';
import { currentItems } from './find-items';
import type { ItemsVersion } from './items.sql';

/** The number of items that have a label, by locale. */
export interface CoverageView {
  itemsCount: number;
  locales: { locale: string; key: string; labelled: number; missing: number }[];
}

const labelled = statement<ItemsVersion, { key: string; count: number }>(
  'items-labelled',
  `select key, count(*)::int as count from items, jsonb_object_keys(labels) key
   where tenant_id = $tenantId and list_id = $listId and version = $version group by key`,
);

/** Reads all items of the list. */
export async function readCoverage(db: Queryable, row: ListRow): Promise<CoverageView> {
  const counts = new Map((await db.query(labelled(currentItems(row)))).map(({ key, count }) => [key, count]));
  const list = localesOf(row);
  const locales = labelKeysOf(list).map((key) => {
    const count = counts.get(key) ?? 0;
    const locale = key === 'default' ? list.defaultLocale : key;
    return { locale, key, labelled: count, missing: row.items_count - count };
  });
  return { itemsCount: row.items_count, locales };
}
