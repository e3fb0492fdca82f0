import type { DataListItem } from '@canvass/contracts';
import { statement, type Queryable, type Tx } from '@canvass/postgres';

/** One version of the items of a list. */
export interface ItemsVersion {
  tenantId: string;
  listId: string;
  version: string;
}

const nextBatch = statement(
  'items-after',
  `select position, value, labels from items
   where tenant_id = $1 and list_id = $2 and version = $3 and position > $4
   order by position limit $5`,
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
    const values = [from.tenantId, from.listId, from.version, last, batchSize];
    const rows = await db.query<DataListItem & { position: number }>(nextBatch, values);
    if (rows.length === 0) throw new Error(`version ${from.version} of list ${from.listId} is deleted`);
    last = rows[rows.length - 1]!.position;
    read += rows.length;
    yield rows;
  }
}

/**
 * Conditions that only the index by value can serve. With the primary key the planner would read a whole
 * version to find a value; see migration 20261121T1030.
 */
export const ofVersion = (version: string) =>
  `tenant_id + 0 = $1 and list_id + 0 = $2 and version + 0 = ${version}`;

const byValues = statement(
  'items-of-values',
  `select value, labels from items where ${ofVersion('$3')} and value = any ($4::text[])`,
);

export function selectItemsByValue(
  db: Queryable,
  from: ItemsVersion,
  values: readonly string[],
): Promise<DataListItem[]> {
  return db.query<DataListItem>(byValues, [from.tenantId, from.listId, from.version, values]);
}

const newVersion = statement('items-new-version', 'select next_id() as version');

export async function allocateVersion(tx: Tx): Promise<string> {
  const [row] = await tx.query<{ version: string }>(newVersion);
  return row!.version;
}
