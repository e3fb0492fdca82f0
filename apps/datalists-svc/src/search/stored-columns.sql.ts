import { statement, type Database, type Queryable } from '@canvass/postgres';
import type { ItemsVersion } from './columns.sql';

export interface StoredColumn {
  /** Of a text column. */
  alphabet: string | null;
  bytes: Buffer;
}

const chunkBytes = 1024 * 1024;

const chunkOf = statement(
  'search-columns-chunk',
  `select alphabet, bytes from search_columns
   where tenant_id = $1 and list_id = $2 and version = $3 and name = $4 and chunk = $5`,
);

/** Null where it is not stored. */
export async function readStored(
  db: Queryable,
  { tenantId, listId, version }: ItemsVersion,
  name: string,
): Promise<StoredColumn | null> {
  const chunks: Buffer[] = [];
  for (let alphabet: string | null = null; ;) {
    const [row] = await db.query<StoredColumn>(chunkOf, [tenantId, listId, version, name, chunks.length]);
    if (row === undefined) return null;
    alphabet ??= row.alphabet;
    chunks.push(row.bytes);
    // The last chunk is the one that is not full.
    if (row.bytes.length < chunkBytes) return { alphabet, bytes: Buffer.concat(chunks) };
  }
}

const insertChunk = statement(
  'search-columns-insert',
  `insert into search_columns (tenant_id, list_id, version, name, chunk, alphabet, bytes)
   select $1, $2, $3, $4, $5, $6, $7 from data_lists
   where tenant_id = $1 and id = $2 and items_version = $3
   on conflict do nothing`,
);

/** Stores a column of a version that is still current; another process may have done it already. */
export async function writeStored(
  db: Database,
  { tenantId, listId, version }: ItemsVersion,
  name: string,
  { alphabet, bytes }: StoredColumn,
): Promise<void> {
  await db.transaction(async (tx) => {
    for (let chunk = 0; chunk * chunkBytes <= bytes.length; chunk++) {
      const part = bytes.subarray(chunk * chunkBytes, (chunk + 1) * chunkBytes);
      await tx.query(insertChunk, [tenantId, listId, version, name, chunk, alphabet, part]);
    }
  });
}

const removeStale = statement(
  'search-columns-remove-stale',
  `delete from search_columns c where not exists (
     select from data_lists l
     where l.tenant_id = c.tenant_id and l.id = c.list_id and l.items_version = c.version)`,
);

/** Removes what was made of versions that are no longer current, of all tenants. */
export async function removeStaleColumns(db: Queryable): Promise<void> {
  await db.query(removeStale);
}
