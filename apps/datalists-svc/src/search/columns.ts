import { setImmediate as pause } from 'node:timers/promises';
import type { Database } from '@canvass/postgres';
import { createColumnCache } from './column-cache';
import { readTexts, selectOrder, type Field, type ItemsVersion } from './columns.sql';
import { buildGrams, gramsFrom } from './grams';
import { itemOrder, type ItemOrder } from './item-order';
import { readStored, writeStored, type StoredColumn } from './stored-columns.sql';
import { bytesOf, textColumn, TextColumnBuilder, type TextColumn } from './text-column';

export interface ColumnsDeps {
  db: Database;
  fold(text: string): string;
  /** Bytes that may be kept in memory. */
  memoryBytes: number;
  onWarning(error: unknown, message: string): void;
}

/** What searches read of a version: kept in memory, stored for large lists, made from the items when first needed. */
export interface Columns {
  order(from: ItemsVersion, key: string, collation: string): Promise<ItemOrder>;
  /** Null where it is too large to be kept. */
  text(from: ItemsVersion, field: Field): Promise<TextColumn | null>;
}

export const listOf = ({ tenantId, listId }: ItemsVersion): string => `${tenantId}/${listId}`;

/** Smaller versions are made anew sooner than their columns are found. */
const storedFrom = gramsFrom;

export function createColumns({ db, fold, memoryBytes, onWarning }: ColumnsDeps): Columns {
  const cache = createColumnCache(memoryBytes);

  /** A stored column that cannot be read is made again: it holds nothing that the items do not. */
  async function stored<T>(
    from: ItemsVersion,
    name: string,
    read: (column: StoredColumn) => T,
  ): Promise<T | null> {
    if (from.count < storedFrom) return null;
    const column = await readStored(db, from, name);
    try {
      return column === null ? null : read(column);
    } catch (error) {
      onWarning(error, 'a stored search column is broken and made again');
      return null;
    }
  }

  function store(from: ItemsVersion, name: string, column: StoredColumn): void {
    if (from.count < storedFrom) return;
    writeStored(db, from, name, column).catch((error: unknown) =>
      onWarning(error, 'a search column was not stored; the next process makes it again'),
    );
  }

  async function makeOrder(
    from: ItemsVersion,
    key: string,
    collation: string,
    name: string,
  ): Promise<ItemOrder> {
    const known = await stored(from, name, ({ bytes }) => itemOrder(bytes, from.count));
    if (known !== null) return known;
    const bytes = await selectOrder(db, from, key, collation);
    store(from, name, { alphabet: null, bytes });
    return itemOrder(bytes, from.count);
  }

  async function makeText(from: ItemsVersion, field: Field): Promise<TextColumn | null> {
    const known = await stored(from, field, ({ alphabet, bytes }) => storedText(alphabet, bytes, from.count));
    if (known !== null) return known;
    const builder = new TextColumnBuilder(from.count);
    for await (const texts of readTexts(db, from, field)) {
      for (const text of texts) builder.add(text === null ? '' : fold(text));
      if (builder.bytes > memoryBytes / 2) return null;
    }
    const column = builder.finish();
    const { buffer, byteOffset, byteLength } = column.symbols;
    store(from, field, { alphabet: column.alphabet, bytes: Buffer.from(buffer, byteOffset, byteLength) });
    return column;
  }

  async function addGrams(from: ItemsVersion, field: Field, column: TextColumn): Promise<void> {
    column.grams = await buildGrams(column, () => pause());
    cache.grown(listOf(from), from.version, field, bytesOf(column));
  }

  return {
    order(from, key, collation) {
      const name = `order:${key}:${collation}`;
      return cache.get(listOf(from), from.version, name, async () => {
        const order = await makeOrder(from, key, collation, name);
        return { value: order, bytes: 2 * order.rankOf.byteLength };
      });
    },
    text(from, field) {
      return cache.get<TextColumn | null>(listOf(from), from.version, field, async () => {
        const column = await makeText(from, field);
        if (column === null) return { value: null, bytes: 64 };
        if (from.count >= gramsFrom) {
          void addGrams(from, field, column).catch((error: unknown) =>
            onWarning(error, 'grams were not made; the texts are scanned'),
          );
        }
        return { value: column, bytes: bytesOf(column) };
      });
    },
  };
}

/** Without an alphabet its symbols are code units, or there are none. */
function storedText(alphabet: string | null, bytes: Buffer, count: number): TextColumn {
  const copy = new Uint8Array(bytes);
  const wide = alphabet === '' && copy.some((byte) => byte !== 0);
  return textColumn(alphabet ?? '', wide ? new Uint16Array(copy.buffer) : copy, count);
}
