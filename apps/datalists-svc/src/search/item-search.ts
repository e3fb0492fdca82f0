import type { DataListItem } from '@canvass/contracts';
import { createColumns, listOf, type Columns, type ColumnsDeps, type LoadedOrder } from './columns';
import { readTexts, selectItemsAt, type Field, type ItemsVersion } from './columns.sql';
import { windowOf, type Window } from './item-order';
import { gradeOfText, grades, Matches, matchColumn, type MatchMode } from './matches';
import { createResultCache } from './result-cache';
import { createSlices, type Slices } from '../slices';
import type { TextColumn } from './text-column';

export interface SearchRequest {
  /** As typed. Empty if folding leaves nothing; then every item matches. */
  query: string;
  matchMode: MatchMode;
  /** The key by which labels are shown, searched and sorted. An item without it shows `default`. */
  shown: string;
  /** Further keys that are searched. */
  included: readonly string[];
  /** A name from pg_collation, see `createCollations`. */
  collation: string;
  window: Window;
}

export interface ItemSearch {
  /** A page of matching items with all their labels, and the total number of matches. */
  find(from: ItemsVersion, request: SearchRequest): Promise<{ total: number; items: DataListItem[] }>;
  /** Prepares a new version, so that its first searches need not wait; see `Columns`. */
  prepare: Columns['prepare'];
  /** Loads search data at start and warms up the JIT, so that the first searches need not wait. */
  warmUp(signal: AbortSignal): Promise<void>;
}

/** Number of searches that let V8 compile the search code. */
const warmUpSearches = 60;

/**
 * Searches versions of items in memory. The search data (the folded texts of the searched fields and the
 * order of the shown labels) is read from the database when first needed, in slices that yield to other
 * requests, and cached up to `memoryBytes`. Versions never change, so cached data is never stale. A field too
 * large for the cache is read again for each search, which is slower but correct.
 */
export function createItemSearch(deps: ColumnsDeps): ItemSearch {
  const { db, fold } = deps;
  const columns = createColumns(deps);
  const results = createResultCache();
  let spare: Matches | null = null;

  /** Adds the matches of a field that is not cached. */
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
    // Start with the fields of every search, so that waiting searches hold nothing else. One field at a time:
    // in parallel they would take a connection each.
    const first: (TextColumn | null)[] = [];
    for (const field of fields.slice(0, 2)) first.push(await columns.text(from, field));
    const matches = spare?.count === from.count ? spare : new Matches(from.count);
    spare = null;
    for (const [n, field] of fields.entries()) {
      // Further fields are released after use: not all languages of a list must fit into memory.
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

  /** A plausible query for some of the items: one to three letters. */
  async function warmUpJit({ from, key, collation }: LoadedOrder, signal: AbortSignal): Promise<void> {
    const search = { shown: key, included: [], collation };
    for (let n = 0; n < warmUpSearches && !signal.aborted; n++) {
      const one = { offset: Math.floor((n * from.count) / warmUpSearches), limit: 1 };
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
      if (largest !== undefined) await warmUpJit(largest, signal);
    },
  };
}
