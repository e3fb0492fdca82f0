import { statement, type Queryable, type Transactor } from '@canvass/postgres';
import type { ItemsVersion } from './columns.sql';

/** Metadata of a stored column. */
export interface StoredColumn {
  /** Of a text column; empty for others. */
  alphabet: string;
  bytes: number;
}

const chunkBytes = 1024 * 1024;

const columnOf = statement<
  { tenantId: string; listId: string; version: string; name: string },
  { alphabet: string | null; bytes: number }
>(
  'search-columns-column',
  `select max(alphabet) filter (where chunk = 0) as alphabet, sum(octet_length(bytes))::int as bytes from search_columns
   where tenant_id = $tenantId and list_id = $listId and version = $version and name = $name having count(*) > 0`,
);

/** Null if it is not stored. */
export async function findStored(
  db: Queryable,
  { tenantId, listId, version }: ItemsVersion,
  name: string,
): Promise<StoredColumn | null> {
  const [row] = await db.query(columnOf({ tenantId, listId, version, name }));
  if (row === undefined) return null;
  return { alphabet: Buffer.from(row.alphabet ?? '', 'base64').toString('utf16le'), bytes: row.bytes };
}

const chunkOf = statement<
  { tenantId: string; listId: string; version: string; name: string; chunk: number },
  { bytes: Buffer }
>(
  'search-columns-chunk',
  `select bytes from search_columns
   where tenant_id = $tenantId and list_id = $listId and version = $version and name = $name and chunk = $chunk`,
);

/** Its bytes in pieces. Ends early if the column is deleted meanwhile. */
export async function* readStored(
  db: Queryable,
  { tenantId, listId, version }: ItemsVersion,
  name: string,
): AsyncGenerator<Buffer> {
  for (let chunk = 0; ; chunk++) {
    const [row] = await db.query(chunkOf({ tenantId, listId, version, name, chunk }));
    if (row === undefined) return;
    yield row.bytes;
    // The last chunk is shorter than the others.
    if (row.bytes.length < chunkBytes) return;
  }
}

interface StoredChunk {
  tenantId: string;
  listId: string;
  version: string;
  name: string;
  chunk: number;
  alphabet: string;
  bytes: Buffer;
}

const insert = `insert into search_columns (tenant_id, list_id, version, name, chunk, alphabet, bytes)`;
const insertChunk = statement<StoredChunk>(
  'search-columns-insert',
  `${insert} select $tenantId, $listId, $version, $name, $chunk, $alphabet, $bytes from data_lists
   where tenant_id = $tenantId and id = $listId and items_version = $version
   on conflict do nothing`,
);

/** Stores a column of a version that is still current. Another process may have stored it already. */
export async function writeStored(
  db: Transactor,
  from: ItemsVersion,
  name: string,
  column: { alphabet: string; bytes: Uint8Array },
): Promise<void> {
  await db.transaction((tx) => insertChunks(tx, insertChunk, from, name, column));
}

const insertStaged = statement<StoredChunk>(
  'search-columns-insert-staged',
  `${insert} values ($tenantId, $listId, $version, $name, $chunk, $alphabet, $bytes) on conflict do nothing`,
);

/** Stores a column of a version that becomes current in the same transaction. */
export async function writeStaged(
  tx: Queryable,
  to: ItemsVersion,
  name: string,
  column: { alphabet: string; bytes: Uint8Array },
): Promise<void> {
  await insertChunks(tx, insertStaged, to, name, column);
}

async function insertChunks(
  tx: Queryable,
  into: typeof insertChunk,
  { tenantId, listId, version }: ItemsVersion,
  name: string,
  { alphabet, bytes }: { alphabet: string; bytes: Uint8Array },
): Promise<void> {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Code units as numbers, because Postgres text cannot contain half of a surrogate pair.
  const units = Buffer.from(alphabet, 'utf16le').toString('base64');
  for (let chunk = 0; chunk * chunkBytes <= bytes.length; chunk++) {
    const piece = all.subarray(chunk * chunkBytes, (chunk + 1) * chunkBytes);
    await tx.query(into({ tenantId, listId, version, name, chunk, alphabet: units, bytes: piece }));
  }
}

const namesOf = statement<{ tenantId: string; listId: string; version: string }, { name: string }>(
  'search-columns-names',
  'select distinct name from search_columns where tenant_id = $tenantId and list_id = $listId and version = $version order by name',
);

/** Names of the stored columns of a version. */
export async function storedNames(
  db: Queryable,
  { tenantId, listId, version }: Omit<ItemsVersion, 'count'>,
): Promise<string[]> {
  const rows = await db.query(namesOf({ tenantId, listId, version }));
  return rows.map(({ name }) => name);
}

const current = statement<void, ItemsVersion & { name: string }>(
  'search-columns-current',
  `select c.tenant_id as "tenantId", c.list_id as "listId", c.version, l.items_count as count, c.name
   from search_columns c join data_lists l on l.tenant_id = c.tenant_id and l.id = c.list_id and l.items_version = c.version
   where c.chunk = 0 order by c.version desc, c.name`,
);

/** All stored columns of current versions of all tenants, newest versions first. */
export function selectCurrent(db: Queryable): Promise<(ItemsVersion & { name: string })[]> {
  return db.query(current());
}

const removeStale = statement(
  'search-columns-remove-stale',
  `delete from search_columns c where not exists (
     select from data_lists l
     where l.tenant_id = c.tenant_id and l.id = c.list_id and l.items_version = c.version)`,
);

/** Deletes the columns of versions that are no longer current, of all tenants. */
export async function removeStaleColumns(db: Queryable): Promise<void> {
  await db.query(removeStale());
}
