import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, Transactor } from '@canvass/postgres';
import { createColumnCache } from './column-cache';
import { readTexts, selectOrder, type Field, type ItemsVersion } from './columns.sql';
import { buildGrams, gramsFrom } from './grams';
import { itemOrder, type ItemOrder } from './item-order';
import {
  findStored,
  readStored,
  selectCurrent,
  storedNames,
  writeStaged,
  writeStored,
  type StoredColumn,
} from './stored-columns.sql';
import { bytesOf, textColumn, TextColumnBuilder, type TextColumn } from './text-column';

export interface ColumnsDeps {
  db: Database;
  fold(text: string): string;
  /** Maximum memory in bytes. */
  memoryBytes: number;
  onWarning(error: unknown, message: string): void;
}

/**
 * The search data of a version: cached in memory, stored for large lists, and built from the items when first
 * needed.
 */
export interface Columns {
  order(from: ItemsVersion, key: string, collation: string): Promise<ItemOrder>;
  /** Null if it is too large to be cached. */
  text(from: ItemsVersion, field: Field): Promise<TextColumn | null>;
  /**
   * Builds for a version that becomes current in this transaction the search data that its predecessor used,
   * as far as it will be cached. Returns a function that loads it after the commit.
   */
  prepare(
    tx: Transactor,
    before: Omit<ItemsVersion, 'count'>,
    to: ItemsVersion,
  ): Promise<() => Promise<void>>;
  /**
   * Loads stored data, newest versions first, while it fits into memory. Returns the orders if everything
   * fitted.
   */
  warmUp(signal: AbortSignal): Promise<LoadedOrder[]>;
}

export interface LoadedOrder {
  from: ItemsVersion;
  key: string;
  collation: string;
}

export const listOf = ({ tenantId, listId }: ItemsVersion): string => `${tenantId}/${listId}`;

/** Smaller versions are built faster than their columns are found. */
const storedFrom = gramsFrom;

const orderName = (key: string, collation: string): string => `order:${key}:${collation}`;
const textName = (field: Field): string => `text:${field}`;

/**
 * Key and collation of an order, or the field of a text column, from the name of a stored column; null for
 * another name.
 */
function readName(name: string): { key: string; collation: string } | { field: Field } | null {
  const [, kind, rest = ''] = /^(order|text):(.*)$/s.exec(name) ?? [];
  if (kind === 'text') return { field: rest as Field };
  const [key = '', collation = ''] = rest.split(':');
  return kind === 'order' ? { key, collation } : null;
}

export function createColumns({ db, fold, memoryBytes, onWarning }: ColumnsDeps): Columns {
  const cache = createColumnCache(memoryBytes);

  /** A stored column that cannot be read is built again from the items. */
  async function stored<T>(
    from: ItemsVersion,
    name: string,
    read: (column: StoredColumn, pieces: AsyncIterable<Buffer>) => Promise<T>,
  ): Promise<T | null> {
    if (from.count < storedFrom) return null;
    const column = await findStored(db, from, name);
    if (column === null) return null;
    try {
      return await read(column, readStored(db, from, name));
    } catch (error) {
      onWarning(error, 'rebuilding a corrupt stored search column');
      return null;
    }
  }

  function store(from: ItemsVersion, name: string, column: { alphabet: string; bytes: Uint8Array }): void {
    if (from.count < storedFrom) return;
    writeStored(db, from, name, column).catch((error: unknown) =>
      onWarning(error, 'failed to store a search column; the next process rebuilds it'),
    );
  }

  async function orderFrom(from: ItemsVersion, key: string, collation: string): Promise<ItemOrder> {
    const name = orderName(key, collation);
    const known = await stored(from, name, (_, pieces) => itemOrder(pieces, from.count));
    if (known !== null) return known;
    const pieces = await selectOrder(db, from, key, collation);
    store(from, name, { alphabet: '', bytes: Buffer.concat(pieces) });
    return itemOrder(pieces, from.count);
  }

  async function textFrom(from: ItemsVersion, field: Field): Promise<TextColumn | null> {
    const name = textName(field);
    const known = await stored(from, name, (column, pieces) => textColumn(column, pieces, from.count));
    if (known !== null) return known;
    const column = await makeText(db, from, field, fold, memoryBytes / 2);
    if (column !== null) store(from, name, bytesToStore(column));
    return column;
  }

  async function gramsOf(column: TextColumn): Promise<TextColumn['grams']> {
    try {
      return await buildGrams(column, () => nextTurn());
    } catch (error) {
      onWarning(error, 'failed to build grams; texts are scanned instead');
      return null;
    }
  }

  /** Loads a column into memory by the name of its stored form. */
  async function load(from: ItemsVersion, name: string): Promise<void> {
    const wanted = readName(name);
    if (wanted === null) return;
    if ('field' in wanted) await columns.text(from, wanted.field);
    else await columns.order(from, wanted.key, wanted.collation);
  }

  /** Size of a built and stored column in bytes. */
  async function prepareColumn(tx: Transactor, to: ItemsVersion, name: string): Promise<number> {
    const wanted = readName(name);
    if (wanted === null) return 0;
    if ('field' in wanted) {
      const column = await makeText(tx, to, wanted.field, fold, memoryBytes / 2);
      if (column !== null) await writeStaged(tx, to, name, bytesToStore(column));
      return column === null ? 0 : bytesOf(column);
    }
    const pieces = await selectOrder(tx, to, wanted.key, wanted.collation);
    await writeStaged(tx, to, name, { alphabet: '', bytes: Buffer.concat(pieces) });
    return 2 * 4 * to.count;
  }

  const columns: Columns = {
    async prepare(tx, before, to) {
      if (to.count < storedFrom) return () => Promise.resolve();
      const prepared: string[] = [];
      let bytes = 0;
      for (const name of await storedNames(tx, before)) {
        if (bytes > memoryBytes / 2) break;
        bytes += await prepareColumn(tx, to, name);
        prepared.push(name);
      }
      return async () => {
        for (const name of prepared) await load(to, name);
      };
    },
    async warmUp(signal) {
      const orders: LoadedOrder[] = [];
      for (const { name, ...from } of await selectCurrent(db)) {
        // A column that does not fit would only evict those loaded before.
        if (signal.aborted || cache.bytes() > (3 / 4) * memoryBytes) return [];
        await load(from, name);
        const order = readName(name);
        if (order !== null && 'key' in order) orders.push({ from, ...order });
      }
      return orders;
    },
    order(from, key, collation) {
      return cache.get(listOf(from), from.version, orderName(key, collation), async () => {
        const order = await orderFrom(from, key, collation);
        return { value: order, bytes: 2 * order.rankOf.byteLength };
      });
    },
    text(from, field) {
      return cache.get<TextColumn | null>(listOf(from), from.version, field, async () => {
        const column = await textFrom(from, field);
        if (column === null) return { value: null, bytes: 64 };
        // Concurrent searches wait for the grams, too: scans would compete with building them.
        if (from.count >= gramsFrom) column.grams = await gramsOf(column);
        return { value: column, bytes: bytesOf(column) };
      });
    },
  };
  return columns;
}

/** Reads and folds the texts of a field; null if they exceed the given number of bytes. */
async function makeText(
  db: Transactor,
  from: ItemsVersion,
  field: Field,
  fold: (text: string) => string,
  mostBytes: number,
): Promise<TextColumn | null> {
  const builder = new TextColumnBuilder(from.count);
  for await (const texts of readTexts(db, from, field)) {
    for (const text of texts) builder.add(text === null ? '' : fold(text));
    if (builder.bytes > mostBytes) return null;
  }
  return builder.finish();
}

function bytesToStore({ alphabet, symbols }: TextColumn): { alphabet: string; bytes: Uint8Array } {
  return { alphabet, bytes: new Uint8Array(symbols.buffer, symbols.byteOffset, symbols.byteLength) };
}
