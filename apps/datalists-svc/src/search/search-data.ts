import { fold, type Database } from '@canvass/postgres';
import { LRUCache } from 'lru-cache';
import { readTexts, selectOrder, type Field, type ItemsVersion } from './search-data.sql';
import { bytesOf, textBlock, type TextBlock } from './text-block';

/** The display order of a version: by label under a collation, then by value; or that of the file. */
export interface ItemOrder {
  /** Positions by rank. */
  positionAt: Uint32Array;
  /** Ranks by position. */
  rankOf: Uint32Array;
}

/** The data that a search reads of a version. */
export interface SearchData {
  order(from: ItemsVersion, key: string, collation: string | null): Promise<ItemOrder>;
  /** The folded texts of a field by position, in blocks. */
  texts(from: ItemsVersion, field: Field): Promise<Iterable<TextBlock> | AsyncIterable<TextBlock>>;
}

export interface SearchDataDeps {
  db: Database;
  /** Maximum memory in bytes. */
  memoryBytes: number;
}

/** Positions are the order of the file, so nothing is read or kept. */
function inOrderOfFile(count: number): ItemOrder {
  const positions = new Uint32Array(count);
  for (let position = 0; position < count; position++) positions[position] = position;
  return { positionAt: positions, rankOf: positions };
}

/** Large blocks are scanned faster, and a scan still pauses often enough. */
const textsPerBlock = 16_384;

/** Approximate overhead of an entry, so that many small lists count, too. */
const entryBytes = 1024;

/**
 * Reads search data when it is first needed, and keeps what was used last, up to `memoryBytes`. Versions
 * never change, so kept data is never stale.
 */
export function createSearchData({ db, memoryBytes }: SearchDataDeps): SearchData {
  const kept = new LRUCache<string, Promise<unknown>>({ maxSize: memoryBytes });

  /** Concurrent callers share one load. */
  function once<T>(name: string, load: () => Promise<{ data: T; bytes: number }>): Promise<T> {
    const known = kept.get(name);
    if (known !== undefined) return known as Promise<T>;
    const loading = load().then(({ data, bytes }) => {
      kept.set(name, Promise.resolve(data), { size: entryBytes + bytes });
      return data;
    });
    kept.set(name, loading, { size: 1 });
    loading.catch(() => kept.delete(name));
    return loading;
  }

  async function* readBlocks(from: ItemsVersion, field: Field): AsyncGenerator<TextBlock> {
    let texts: string[] = [];
    for await (const read of readTexts(db, from, field)) {
      for (const text of read) texts.push(text === null ? '' : fold(text));
      if (texts.length < textsPerBlock) continue;
      yield textBlock(texts);
      texts = [];
    }
    if (texts.length > 0) yield textBlock(texts);
  }

  return {
    async order(from, key, collation) {
      if (collation === null) return inOrderOfFile(from.count);
      return once(`${from.tenantId}/${from.listId}/${from.version}/order/${key}/${collation}`, async () => {
        const bytes = await selectOrder(db, from, key, collation);
        const order = { positionAt: new Uint32Array(from.count), rankOf: new Uint32Array(from.count) };
        for (let rank = 0; rank < from.count; rank++) {
          const position = bytes.readUInt32BE(4 * rank);
          order.positionAt[rank] = position;
          order.rankOf[position] = rank;
        }
        return { data: order, bytes: 2 * order.rankOf.byteLength };
      });
    },
    async texts(from, field) {
      const name = `${from.tenantId}/${from.listId}/${from.version}/texts/${field.key}/${field.orElse}`;
      const blocks = await once<TextBlock[] | null>(name, async () => {
        const data: TextBlock[] = [];
        let bytes = 0;
        for await (const block of readBlocks(from, field)) {
          data.push(block);
          bytes += bytesOf(block);
          if (bytes > memoryBytes / 2) return { data: null, bytes: 0 };
        }
        return { data, bytes };
      });
      // A field that does not fit into memory is read for each search.
      return blocks ?? readBlocks(from, field);
    },
  };
}
