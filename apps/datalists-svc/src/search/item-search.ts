import type { DataListItem } from '@canvass/contracts';
import { createColumns, listOf, type Columns, type ColumnsDeps, type LoadedOrder } from './columns';
import { readTexts, selectItemsAt, type Field, type ItemsVersion } from './columns.sql';
import { windowOf, type Window } from './item-order';
import { gradeOfText, grades, Matches, matchColumn, type MatchMode } from './matches';
import { createResultCache } from './result-cache';
import { createSlices, type Slices } from '../slices';
import type { TextColumn } from './text-column';

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
  /** So that the first searches of a version that replaces another need not wait; see `Columns`. */
  prepare: Columns['prepare'];
  /** So that the first searches after a start need not wait: loads what they need, see `Columns`, and practises. */
  warmUp(signal: AbortSignal): Promise<void>;
}

/** Searches until the code is compiled that they run. */
const practices = 60;

/**
 * Searches versions of items in memory. What a search needs (the folded texts of the fields it looks into and the order of
 * the shown labels) is read from the database when it is first needed, in slices that let others be served, and kept up
 * to `memoryBytes`. Versions never change, so what is kept is never stale. A field too large to be kept is read anew
 * for each search of it: slower, and correct.
 */
export function createItemSearch(deps: ColumnsDeps): ItemSearch {
  const { db, fold } = deps;
  const columns = createColumns(deps);
  const results = createResultCache();
  let spare: Matches | null = null;

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
    slices: Slices,
  ): Promise<Matches> {
    // Those of every search first, so that nobody who waits for them holds more than this. One field after the other:
    // together they would take as many connections as there are fields.
    const first: (TextColumn | null)[] = [];
    for (const field of fields.slice(0, 2)) first.push(await columns.text(from, field));
    const matches = spare?.count === from.count ? spare : new Matches(from.count);
    spare = null;
    for (const [n, field] of fields.entries()) {
      // Further ones are held no longer than they are looked into: not all languages of a list need fit into memory.
      const column = n < first.length ? first[n]! : await columns.text(from, field);
      if (column === null) await matchStored(from, field, query, mode, matches);
      else await matchColumn(column, query, mode, matches, slices);
    }
    return matches;
  }

  async function positionsOf(
    from: ItemsVersion,
    { matchMode, shown, included, window, ...request }: SearchRequest,
  ): Promise<{ total: number; positions: Uint32Array }> {
    const query = fold(request.query);
    if (query === '') {
      const { positionAt } = await columns.order(from, shown, request.collation);
      const positions = positionAt.subarray(window.offset, window.offset + window.limit);
      return { total: from.count, positions };
    }
    const fields: Field[] = ['value', `shown:${shown}`, ...included.map((key): Field => `label:${key}`)];
    const key = [listOf(from), from.version, matchMode, ...fields, query].join('\n');
    const known = results.get(key, window);
    if (known !== null) return known;
    const slices = createSlices();
    // Postgres sorts while this process folds.
    const [order, matches] = await Promise.all([
      columns.order(from, shown, request.collation),
      matchesOf(from, fields, query, matchMode, slices),
    ]);
    const { total, positions } = await windowOf(matches, order, results.headOf(window), slices);
    matches.clear();
    spare = matches;
    return results.put(key, window, { total, head: positions });
  }

  async function find(
    from: ItemsVersion,
    request: SearchRequest,
  ): Promise<{ total: number; items: DataListItem[] }> {
    const { total, positions } = await positionsOf(from, request);
    return { total, items: await selectItemsAt(db, from, positions) };
  }

  /** What somebody might type who looks for some of the items: one to three letters. */
  async function practise({ from, key, collation }: LoadedOrder, signal: AbortSignal): Promise<void> {
    const search = { shown: key, included: [], collation };
    for (let n = 0; n < practices && !signal.aborted; n++) {
      const one = { offset: Math.floor((n * from.count) / practices), limit: 1 };
      const { items } = await find(from, { ...search, query: '', matchMode: 'Contains', window: one });
      const label = items[0]?.labels[key] ?? items[0]?.labels['default'] ?? '';
      const query = label.slice(0, 1 + (n % 3));
      const matchMode = n % 2 === 0 ? 'Contains' : 'StartsWith';
      await find(from, { ...search, query, matchMode, window: { offset: 0, limit: 25 } });
    }
  }

  return {
    prepare: columns.prepare,
    find,
    async warmUp(signal) {
      const [largest] = (await columns.warmUp(signal)).sort((a, b) => b.from.count - a.from.count);
      if (largest !== undefined) await practise(largest, signal);
    },
  };
}
