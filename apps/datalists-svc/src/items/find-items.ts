import type { DataListItem } from '@canvass/contracts';
import type { Queryable } from '@canvass/postgres';
import { localesOf, pickLabels, type ListRow } from '../catalog';
import type { ItemSearch } from '../search';
import type { Collations } from './collation';
import { explainMatch, type ItemMatch } from './explain-match';
import type { DisplayValuesQuery, SearchQuery } from './items.schemas';
import { selectItemsByValue, type ItemsVersion } from './items.sql';
import { labelKeys } from './projection';

/** A found item; with the reason if it was asked for, which is null without a query. */
export type FoundItem = DataListItem & { match?: ItemMatch | null };

/** The current items of a list. */
export function currentItems(row: ListRow): ItemsVersion {
  return { tenantId: row.tenant_id, listId: row.id, version: row.items_version };
}

/**
 * Searches the current items of a list: the value, the label shown for `locale`, and the labels of
 * `includeLocales`. Returns the requested page and the total number of matches.
 */
export async function findItems(
  { search, collations }: { search: ItemSearch; collations: Collations },
  row: ListRow,
  query: SearchQuery,
  window: { limit: number; offset: number },
): Promise<{ total: number; items: FoundItem[] }> {
  const list = localesOf(row);
  const keys = labelKeys(list, { locale: query.locale, includeLocales: query.includeLocales });
  const { total, items } = await search.find(
    { ...currentItems(row), count: row.items_count },
    {
      query: query.query,
      matchMode: query.matchMode,
      shown: keys.shown,
      included: keys.included,
      collation: row.items_order === 'file' ? null : await collations(list, keys.shown),
      window,
    },
  );
  const found = items.map((item): FoundItem => {
    const shown = pickLabels(item, keys.projected);
    if (!query.explain) return shown;
    return { ...shown, match: explainMatch(item, query.query, query.matchMode, keys) };
  });
  return { total, items: found };
}

/**
 * The items with the given values, in the given order. Unknown values are omitted. Values may contain commas:
 * a parameter that is as a whole a value of the list means that value, any other is a list of its parts.
 */
export async function displayValues(
  db: Queryable,
  row: ListRow,
  query: DisplayValuesQuery,
): Promise<DataListItem[]> {
  const keys = labelKeys(localesOf(row), { locale: query.locale, includeLocales: query.includeLocales });
  const partsOf = (text: string) => text.split(',').flatMap((part) => [part, part.trim()]);
  const candidates = new Set(query.values.flatMap((text) => [text, ...partsOf(text)]));
  candidates.delete('');
  if (candidates.size === 0) return [];
  const found = await selectItemsByValue(db, currentItems(row), [...candidates]);
  const items = new Map(found.map((item) => [item.value, item]));
  const values = query.values.flatMap((text) => (items.has(text) ? [text] : partsOf(text)));
  return [...new Set(values)].flatMap((value) => {
    const item = items.get(value);
    return item === undefined ? [] : [pickLabels(item, keys.projected)];
  });
}
