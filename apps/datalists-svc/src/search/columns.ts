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
  /** Bytes that may be kept in memory. */
  memoryBytes: number;
  onWarning(error: unknown, message: string): void;
}

/** What searches read of a version: kept in memory, stored for large lists, made from the items when first needed. */
export interface Columns {
  order(from: ItemsVersion, key: string, collation: string): Promise<ItemOrder>;
  /** Null where it is too large to be kept. */
  text(from: ItemsVersion, field: Field): Promise<TextColumn | null>;
  /**
   * Makes for a version that becomes current in this transaction what the one before it was searched with, as far as it
   * will be kept in memory. Gives what loads it after the commit.
   */
  prepare(
    tx: Transactor,
    before: Omit<ItemsVersion, 'count'>,
    to: ItemsVersion,
  ): Promise<() => Promise<void>>;
  /** Loads what is stored, of the newest versions first, while it fits into memory. Gives the orders when all fitted. */
  warmUp(signal: AbortSignal): Promise<LoadedOrder[]>;
}

export interface LoadedOrder {
  from: ItemsVersion;
  key: string;
  collation: string;
}

export const listOf = ({ tenantId, listId }: ItemsVersion): string => `${tenantId}/${listId}`;

/** Smaller versions are made anew sooner than their columns are found. */
const storedFrom = gramsFrom;

const orderName = (key: string, collation: string): string => `order:${key}:${collation}`;
const textName = (field: Field): string => `text:${field}`;

/** Key and collation of an order, or the field of a text column, by the name of a stored column; null for another name. */
function readName(name: string): { key: string; collation: string } | { field: Field } | null {
  const [, kind, rest = ''] = /^(order|text):(.*)$/s.exec(name) ?? [];
  if (kind === 'text') return { field: rest as Field };
  const [key = '', collation = ''] = rest.split(':');
  return kind === 'order' ? { key, collation } : null;
}

export function createColumns({ db, fold, memoryBytes, onWarning }: ColumnsDeps): Columns {
  const cache = createColumnCache(memoryBytes);

  /** A stored column that cannot be read is made again: it holds nothing that the items do not. */
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
      onWarning(error, 'a stored search column is broken and made again');
      return null;
    }
  }

  function store(from: ItemsVersion, name: string, column: { alphabet: string; bytes: Uint8Array }): void {
    if (from.count < storedFrom) return;
    writeStored(db, from, name, column).catch((error: unknown) =>
      onWarning(error, 'a search column was not stored; the next process makes it again'),
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
      onWarning(error, 'grams were not made; the texts are scanned');
      return null;
    }
  }

  /** Gets a column into memory by the name of its stored form. */
  async function load(from: ItemsVersion, name: string): Promise<void> {
    const wanted = readName(name);
    if (wanted === null) return;
    if ('field' in wanted) await columns.text(from, wanted.field);
    else await columns.order(from, wanted.key, wanted.collation);
  }

  /** Bytes of a column that was made and stored. */
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
        // What does not fit would only push out what was loaded before it.
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
        // Whoever searches meanwhile waits for them too: scans would take the time that making them takes.
        if (from.count >= gramsFrom) column.grams = await gramsOf(column);
        return { value: column, bytes: bytesOf(column) };
      });
    },
  };
  return columns;
}

/** Reads and folds the texts of a field; null when they would take more than so many bytes. */
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
