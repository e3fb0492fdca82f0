import { Problem, validationProblem } from '@canvass/errors';
import { readKeyPage, statement, type KeyOrder, type Queryable } from '@canvass/postgres';
import type { DataListItem } from '@canvass/contracts';
import { pageOf, type KeyPage, type KeyQuery, type Page, type Paging } from '@canvass/service-kit';
import { labelKeyOf, localesOf, pickLabels, type ListRow } from '../catalog';
import { currentItems, findItems, type FoundItem } from './find-items';
import type { ItemsQuery } from './items.schemas';
import type { ItemsVersion } from './items.sql';
import { labelKeys } from './projection';

type Deps = Parameters<typeof findItems>[0] & { db: Queryable };

/**
 * A page of the items of a list.
 *
 * @throws {Problem} `validation_failed` for a cursor or an unknown locale; `conflict` for a cursor of items
 * that were replaced
 */
export async function listItems(
  deps: Deps,
  row: ListRow,
  query: ItemsQuery,
): Promise<Page<FoundItem> | KeyPage<FoundItem>> {
  if (query.missing !== undefined) return itemsWithout(deps.db, row, query, query.missing);
  const { byKey, page, pageSize } = query;
  if (byKey === null) {
    const window = { limit: pageSize, offset: (page - 1) * pageSize };
    const { total, items } = await findItems(deps, row, query, window);
    return pageOf(items, total, query);
  }
  const window = windowOf(row, byKey);
  const { total, items } = await findItems(deps, row, query, window);
  const end = window.offset + items.length;
  return {
    items,
    next: end < total && items.length > 0 ? cursorOf(row, end) : null,
    previous: window.offset > 0 ? cursorOf(row, window.offset) : null,
    total: byKey.total === 'none' ? null : total,
    totalIsExact: byKey.total !== 'none',
  };
}

/** The order of found items is in memory, so a cursor is a place in it. It ends with the version. */
const cursorOf = (row: ListRow, place: number): string =>
  Buffer.from(JSON.stringify([row.items_version, place])).toString('base64url');

function windowOf(row: ListRow, { after, before, limit }: KeyQuery): { limit: number; offset: number } {
  if (after !== undefined) return { limit, offset: placeOf(row, 'after', after) };
  if (before === undefined) return { limit, offset: 0 };
  const end = placeOf(row, 'before', before);
  const offset = Math.max(0, end - limit);
  return { limit: Math.max(1, end - offset), offset };
}

function placeOf(row: ListRow, name: string, cursor: string): number {
  const [version, place] = read(cursor);
  if (typeof version !== 'string' || !Number.isInteger(place) || (place as number) < 0)
    throw validationProblem({ [name]: ['must be `next` or `previous` of a page of this list'] });
  if (version !== row.items_version)
    throw new Problem('conflict', { detail: 'The items were replaced. Begin again at the first page.' });
  return Math.min(place as number, row.items_count);
}

function read(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

type Stored = DataListItem & { id: number };

const ofVersion = `tenant_id = $tenantId and list_id = $listId and version = $version`;
const withoutLabel = statement<ItemsVersion & { key: string }, Stored>(
  'items-without-label',
  `select position as id, value, labels from items where ${ofVersion} and not labels ? $key::text`,
);
const stored = statement<ItemsVersion, Stored>(
  'items-of-version',
  `select position as id, value, labels from items where ${ofVersion}`,
);

const inOrderOfImport: KeyOrder = { name: 'position', direction: 'asc' };

function itemsWithout(
  db: Queryable,
  row: ListRow,
  query: ItemsQuery,
  locale: string,
): Promise<Page<FoundItem> | KeyPage<FoundItem>> {
  const list = localesOf(row);
  const key = labelKeyOf(list, locale);
  if (key === null) throw validationProblem({ missing: ['must be a locale of the list'] });
  const { projected } = labelKeys(list, { locale: query.locale, includeLocales: query.includeLocales });
  const source = withoutLabel({ ...currentItems(row), key });
  return readStored(db, source, query, (item) => pickLabels(item, projected));
}

/** The items of a stored version in the order of their import. */
export const itemsOfStored = (
  db: Queryable,
  from: ItemsVersion,
  paging: Paging,
): Promise<Page<DataListItem> | KeyPage<DataListItem>> =>
  readStored(db, stored(from), paging, (item) => item);

async function readStored(
  db: Queryable,
  source: ReturnType<typeof stored>,
  { page, pageSize, byKey }: Paging,
  viewOf: (item: DataListItem) => DataListItem,
): Promise<Page<DataListItem> | KeyPage<DataListItem>> {
  const item = ({ value, labels }: Stored) => viewOf({ value, labels });
  if (byKey !== null) return readKeyPage(db, source, inOrderOfImport, byKey, item);
  const { text, values } = source;
  const [counted] = await db.query<{ total: number }>(
    `select count(*)::int as total from (${text}) x`,
    values,
  );
  const rows = await db.query<Stored>(
    `${text} order by position limit $${values.length + 1} offset $${values.length + 2}`,
    [...values, pageSize, (page - 1) * pageSize],
  );
  return pageOf(rows.map(item), counted!.total, { page, pageSize });
}
