import type { DataListItem } from '@canvass/contracts';
import { statement, type Queryable, type Transactor } from '@canvass/postgres';

/** One version of the items of a list. */
export interface ItemsVersion {
  tenantId: string;
  listId: string;
  version: string;
  /** Number of items. Their positions are 0 to count - 1. */
  count: number;
}

/** A text of every item. */
export interface Field {
  /** The key of a label, or `value`, which is the key of no label. */
  key: string;
  /** The label that is taken where that of `key` is missing. */
  orElse: string;
}

interface Block {
  tenantId: string;
  listId: string;
  version: string;
  from: number;
  to: number;
}

interface BlockRow {
  texts: (string | null)[] | null;
}

const ofBlock = `from items
  where tenant_id = $tenantId and list_id = $listId and version = $version and position >= $from and position < $to`;
const values = statement<Block, BlockRow>(
  'search-values',
  `select json_agg(value order by position) as texts ${ofBlock}`,
);
const labels = statement<Block & Field, BlockRow>(
  'search-labels',
  `select json_agg(coalesce(labels ->> $key, labels ->> $orElse) order by position) as texts ${ofBlock}`,
);

/** Folding so many texts takes a few milliseconds, so that other requests do not wait longer. */
const blockSize = 2048;

/**
 * The texts of a field by position, a block at a time; null for an item without the label. Each block is a
 * separate statement, so that no connection is held between them.
 *
 * @throws {Error} if the version is deleted meanwhile
 */
export async function* readTexts(
  db: Queryable,
  { tenantId, listId, version, count }: ItemsVersion,
  { key, orElse }: Field,
): AsyncGenerator<(string | null)[]> {
  for (let from = 0; from < count; from += blockSize) {
    const to = Math.min(from + blockSize, count);
    const block = { tenantId, listId, version, from, to };
    const [row] = await db.query(key === 'value' ? values(block) : labels({ ...block, key, orElse }));
    if (row?.texts?.length !== to - from) throw new Error(`version ${version} of list ${listId} is deleted`);
    yield row.texts;
  }
}

/**
 * The positions of all items as four big-endian bytes each, ordered by the label shown for `key` under a
 * collation, then by value. A large sort gets more memory and time than other statements.
 *
 * @throws {Error} if the version is deleted meanwhile
 */
export async function selectOrder(
  db: Transactor,
  { tenantId, listId, version, count }: ItemsVersion,
  key: string,
  collation: string,
): Promise<Buffer> {
  if (count === 0) return Buffer.alloc(0);
  const [row] = await db.transaction(async (tx) => {
    await tx.query(`set local work_mem = '64MB'`);
    await tx.limitStatements(5 * 60_000);
    return tx.query<{ positions: Buffer | null }>(
      `select string_agg(int4send(position), ''::bytea
         order by coalesce(labels ->> $4, labels ->> 'default') collate "${collation.replaceAll('"', '""')}", value) as positions
       from items where tenant_id = $1 and list_id = $2 and version = $3`,
      [tenantId, listId, version, key],
    );
  });
  if (row?.positions?.length !== 4 * count)
    throw new Error(`version ${version} of list ${listId} is deleted`);
  return row.positions;
}

const byPositions = statement<
  { tenantId: string; listId: string; version: string; positions: number[] },
  DataListItem & { position: number }
>(
  'search-items-by-position',
  `select position, value, labels from items
   where tenant_id = $tenantId and list_id = $listId and version = $version and position = any ($positions::int[])`,
);

/** The items at the positions, in the given order. */
export async function selectItemsAt(
  db: Queryable,
  { tenantId, listId, version }: ItemsVersion,
  positions: Uint32Array,
): Promise<DataListItem[]> {
  if (positions.length === 0) return [];
  const rows = await db.query(byPositions({ tenantId, listId, version, positions: Array.from(positions) }));
  const items = new Map(rows.map(({ position, value, labels }) => [position, { value, labels }]));
  return Array.from(positions, (position) => items.get(position)!);
}
