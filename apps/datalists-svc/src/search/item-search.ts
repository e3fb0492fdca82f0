import { setImmediate as pause } from 'node:timers/promises';
import type { Database } from '@canvass/postgres';
import { createColumnCache } from './column-cache';
import { readTexts, selectItemsAt, selectOrder, type Field, type ItemsVersion } from './columns.sql';
import { buildGrams, gramsFrom } from './grams';
import { itemOrder, windowOf, type ItemOrder, type Window } from './item-order';
import { gradeOfText, grades, Matches, matchColumn, type MatchMode } from './matches';
import { createResultCache } from './result-cache';
import { bytesOf, TextColumnBuilder, type TextColumn } from './text-column';
import type { DataListItem } from '@canvass/contracts';

export interface SearchRequest {
  /** As typed; empty when nothing of it is left by folding, which every item matches. */
  query: string;
  matchMode: MatchMode;
  /** The key whose label is shown, searched and sorted by; an item that lacks it shows `default`. */
  shown: string;
  /** Further keys that are searched. */
  included: readonly string[];
  /** A name from pg_collation, see `createCollations`. */
  collation: string;
  window: Window;
}

export interface ItemSearch {
  /** A page of matching items with all their labels, and how many match in all. */
  find(from: ItemsVersion, request: SearchRequest): Promise<{ total: number; items: DataListItem[] }>;
}

export interface ItemSearchDeps {
  db: Database;
  fold(text: string): string;
  /** Bytes that may be kept in memory. */
  memoryBytes: number;
  onWarning(error: unknown, message: string): void;
}

/**
 * Searches versions of items in memory. What a search needs (the folded texts of the fields it looks into and the order of
 * the shown labels) is read from the database when it is first needed, in slices that let others be served, and kept up
 * to `memoryBytes`. Versions never change, so what is kept is never stale. A field too large to be kept is read anew
 * for each search of it: slower, and correct.
 */
export function createItemSearch({ db, fold, memoryBytes, onWarning }: ItemSearchDeps): ItemSearch {
  const cache = createColumnCache(memoryBytes);
  const results = createResultCache();
  let spare: Matches | null = null;

  const listOf = ({ tenantId, listId }: ItemsVersion) => `${tenantId}/${listId}`;

  function orderOf(from: ItemsVersion, key: string, collation: string): Promise<ItemOrder> {
    return cache.get(listOf(from), from.version, `order:${key}:${collation}`, async () => {
      const order = itemOrder(await selectOrder(db, from, key, collation));
      return { value: order, bytes: 2 * order.rankOf.byteLength };
    });
  }

  /** Null: too large to be kept. */
  function columnOf(from: ItemsVersion, field: Field): Promise<TextColumn | null> {
    return cache.get<TextColumn | null>(listOf(from), from.version, field, async () => {
      const builder = new TextColumnBuilder(from.count);
      for await (const texts of readTexts(db, from, field)) {
        for (const text of texts) builder.add(text === null ? '' : fold(text));
        if (builder.bytes > memoryBytes / 2) return { value: null, bytes: 64 };
      }
      const column = builder.finish();
      if (from.count >= gramsFrom) void addGrams(from, field, column);
      return { value: column, bytes: bytesOf(column) };
    });
  }

  async function addGrams(from: ItemsVersion, field: Field, column: TextColumn): Promise<void> {
    try {
      column.grams = await buildGrams(column, () => pause());
      cache.grown(listOf(from), from.version, field, bytesOf(column));
    } catch (error) {
      onWarning(error, 'a search index was not made; the texts are scanned');
    }
  }

  /** Adds the matches of a field that is not kept. */
  async function matchStored(
    from: ItemsVersion,
    field: Field,
    query: string,
    mode: MatchMode,
    matches: Matches,
  ): Promise<void> {
    let position = 0;
    for await (const texts of readTexts(db, from, field)) {
      for (const text of texts) {
        const grade = text === null ? grades.none : gradeOfText(fold(text), query, mode);
        if (grade !== grades.none) matches.add(position, grade);
        position++;
      }
    }
  }

  async function matchesOf(
    from: ItemsVersion,
    fields: readonly Field[],
    query: string,
    mode: MatchMode,
  ): Promise<Matches> {
    // One field after the other: together they would take as many connections as there are fields.
    const columns: (TextColumn | null)[] = [];
    for (const field of fields) columns.push(await columnOf(from, field));
    const matches = spare?.count === from.count ? spare : new Matches(from.count);
    spare = null;
    for (const [n, column] of columns.entries()) {
      if (column === null) await matchStored(from, fields[n]!, query, mode, matches);
      else matchColumn(column, query, mode, matches);
    }
    return matches;
  }

  async function positionsOf(
    from: ItemsVersion,
    { matchMode, shown, included, window, ...request }: SearchRequest,
  ): Promise<{ total: number; positions: Uint32Array }> {
    const query = fold(request.query);
    const order = await orderOf(from, shown, request.collation);
    if (query === '') {
      const positions = order.positionAt.subarray(window.offset, window.offset + window.limit);
      return { total: from.count, positions };
    }
    const fields: Field[] = ['value', `shown:${shown}`, ...included.map((key): Field => `label:${key}`)];
    const key = [listOf(from), from.version, matchMode, ...fields, query].join('\n');
    const known = results.get(key, window);
    if (known !== null) return known;
    const matches = await matchesOf(from, fields, query, matchMode);
    const head = windowOf(matches, order, results.headOf(window));
    const total = matches.positions.length;
    matches.clear();
    spare = matches;
    return results.put(key, window, { total, head });
  }

  return {
    async find(from, request) {
      const { total, positions } = await positionsOf(from, request);
      return { total, items: await selectItemsAt(db, from, positions) };
    },
  };
}
