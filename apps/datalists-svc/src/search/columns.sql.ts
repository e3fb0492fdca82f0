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

/**
 * A text of every item: its value, the label of a key, or the label shown for a key (its own or the default
 * one).
 */
export type Field = 'value' | `label:${string}` | `shown:${string}`;

const expressions = {
  value: 'value',
  label: 'labels ->> $key',
  shown: `coalesce(labels ->> $key, labels ->> 'default')`,
} as const;

type Kind = keyof typeof expressions;

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

const blockOf = <Params extends Block>(kind: Kind) =>
  statement<Params, BlockRow>(
    `search-block-${kind}`,
    `select json_agg(${expressions[kind]} order by position) as texts from items
     where tenant_id = $tenantId and list_id = $listId and version = $version and position >= $from and position < $to`,
  );
const valueBlock = blockOf<Block>('value');
const labelBlock = blockOf<Block & { key: string }>('label');
const shownBlock = blockOf<Block & { key: string }>('shown');
const blockSize = 2048;

/**
 * The texts of a field by position, a few thousand at a time; null for an item without the label. Each block
 * is a separate statement, so that no connection is held between them.
 */
export async function* readTexts(
  db: Queryable,
  { tenantId, listId, version, count }: ItemsVersion,
  field: Field,
): AsyncGenerator<(string | null)[]> {
  const [kind, key = ''] = field.split(':') as [Kind, string | undefined];
  for (let from = 0; from < count; from += blockSize) {
    const block = { tenantId, listId, version, from, to: from + blockSize };
    const [row] = await db.query(
      kind === 'value' ? valueBlock(block) : (kind === 'label' ? labelBlock : shownBlock)({ ...block, key }),
    );
    yield row?.texts ?? [];
  }
}

/** Up to this number of items is sorted with the normal settings. */
const quicklySorted = 10_000;

/** Positions per piece of an order. */
const pieceSize = 65_536;

/**
 * The positions of all items as four big-endian bytes each, in pieces, ordered by the label shown for `key`
 * under a collation, then by value. Large versions get more memory and time for the sort.
 */
export async function selectOrder(
  db: Transactor,
  { tenantId, listId, version, count }: ItemsVersion,
  key: string,
  collation: string,
): Promise<Buffer[]> {
  const select = (from: Queryable) =>
    from.query<{ piece: Buffer }>(
      `with sorted as materialized (
         select string_agg(int4send(position), ''::bytea
                  order by coalesce(labels ->> $4, labels ->> 'default') collate "${collation.replaceAll('"', '""')}", value)
                  as positions
         from items where tenant_id = $1 and list_id = $2 and version = $3)
       select substring(positions from ${4 * pieceSize} * n + 1 for ${4 * pieceSize}) as piece
       from sorted, generate_series(0, $5::int) n order by n`,
      [tenantId, listId, version, key, Math.ceil(count / pieceSize) - 1],
    );
  const rows =
    count <= quicklySorted
      ? await select(db)
      : await db.transaction(async (tx) => {
          await tx.query(`set local work_mem = '64MB'`);
          await tx.limitStatements(5 * 60_000);
          return select(tx);
        });
  return rows.map(({ piece }) => piece);
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
