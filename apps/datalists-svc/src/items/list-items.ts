import { validationProblem } from '@canvass/errors';
import { readKeyPage, statement, type KeyOrder, type Queryable } from '@canvass/postgres';
import type { DataListItem } from '@canvass/contracts';
import { pageOf, type KeyPage, type KeyQuery, type Page } from '@canvass/service-kit';
import { labelKeyOf, localesOf, pickLabels, type ListRow } from '../catalog';
import { currentItems, findItems, type FoundItem } from './find-items';
import type { ItemsQuery } from './items.schemas';
import type { ItemsVersion } from './items.sql';
import { labelKeys } from './projection';

type Deps = Parameters<typeof findItems>[0] & { db: Queryable };

/**
 * A page of the items of a list.
 *
 * @throws {Problem} `validation_failed` for an unknown locale
 */
export async function listItems(deps: Deps, row: ListRow, query: ItemsQuery): Promise<Page<FoundItem>> {
  const window = { limit: query.pageSize, offset: (query.page - 1) * query.pageSize };
  const { total, items } =
    query.missing === undefined
      ? await findItems(deps, row, query, window)
      : await itemsWithout(deps.db, row, { ...query, ...window, missing: query.missing });
  return pageOf(items, total, query);
}

interface Without {
  missing: string;
  locale?: string;
  includeLocales: string[];
  limit: number;
  offset: number;
}

const ofVersion = 'tenant_id = $tenantId and list_id = $listId and version = $version';
const unlabelled = `from items where ${ofVersion} and not labels ? $key::text`;
const countUnlabelled = statement<ItemsVersion & { key: string }, { total: number }>(
  'items-without-label-count',
  `select count(*)::int as total ${unlabelled}`,
);
const pageOfUnlabelled = statement<
  ItemsVersion & { key: string; limit: number; offset: number },
  DataListItem
>('items-without-label', `select value, labels ${unlabelled} order by position limit $limit offset $offset`);

async function itemsWithout(
  db: Queryable,
  row: ListRow,
  { missing, locale, includeLocales, limit, offset }: Without,
): Promise<{ total: number; items: FoundItem[] }> {
  const list = localesOf(row);
  const key = labelKeyOf(list, missing);
  if (key === null) throw validationProblem({ missing: ['must be a locale of the list'] });
  const { projected } = labelKeys(list, { locale, includeLocales });
  const from = { ...currentItems(row), key };
  const [counted] = await db.query(countUnlabelled(from));
  const items = await db.query(pageOfUnlabelled({ ...from, limit, offset }));
  return { total: counted!.total, items: items.map((item) => pickLabels(item, projected)) };
}

const stored = statement<ItemsVersion, DataListItem & { id: string }>(
  'items-of-version',
  `select position as id, value, labels from items where ${ofVersion}`,
);

const inOrderOfImport: KeyOrder = { name: 'position', direction: 'asc' };

/** The items of a stored version in the order of their import. */
export const itemsOfStored = (
  db: Queryable,
  from: ItemsVersion,
  window: KeyQuery,
): Promise<KeyPage<DataListItem>> =>
  readKeyPage(db, stored(from), inOrderOfImport, window, ({ value, labels }) => ({ value, labels }));
