import type { DataListItem } from '@canvass/contracts';
import { statement, type Queryable, type Tx } from '@canvass/postgres';

/** One version of the items of a list. */
export interface ItemsVersion {
  tenantId: string;
  listId: string;
  version: string;
}

const nextBatch = statement<
  { tenantId: string; listId: string; version: string; last: number; limit: number },
  DataListItem & { position: number }
>(
  'items-after',
  `select position, value, labels from items
   where tenant_id = $tenantId and list_id = $listId and version = $version and position > $last
   order by position limit $limit`,
);

/**
 * All items of a version in order of import, in batches. Each batch is a separate statement, so a slow reader
 * holds no connection. A version never changes and is kept for an hour after its replacement.
 *
 * @throws {Error} if the version is deleted meanwhile
 */
export async function* readItems(
  db: Queryable,
  from: ItemsVersion,
  count: number,
  batchSize = 1000,
): AsyncGenerator<DataListItem[]> {
  let last = -1;
  for (let read = 0; read < count;) {
    const { tenantId, listId, version } = from;
    const rows = await db.query(nextBatch({ tenantId, listId, version, last, limit: batchSize }));
    if (rows.length === 0) throw new Error(`version ${from.version} of list ${from.listId} is deleted`);
    last = rows[rows.length - 1]!.position;
    read += rows.length;
    yield rows;
  }
}

/**
 * Conditions that only the index by value can serve. With the primary key the planner would read a whole
 * version to find a value; see `schema.sql`.
 */
export const ofVersion = (version: string) =>
  `tenant_id + 0 = $tenantId and list_id + 0 = $listId and version + 0 = ${version}`;

const byValues = statement<
  { tenantId: string; listId: string; version: string; values: readonly string[] },
  DataListItem
>(
  'items-of-values',
  `select value, labels from items where ${ofVersion('$version')} and value = any ($values::text[])`,
);

export function selectItemsByValue(
  db: Queryable,
  { tenantId, listId, version }: ItemsVersion,
  values: readonly string[],
): Promise<DataListItem[]> {
  return db.query(byValues({ tenantId, listId, version, values }));
}

const newVersion = statement<void, { version: string }>('items-new-version', 'select next_id() as version');

export async function allocateVersion(tx: Tx): Promise<string> {
  const [row] = await tx.query(newVersion());
  return row!.version;
}
