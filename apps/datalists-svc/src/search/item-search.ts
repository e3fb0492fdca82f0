import { fold } from '@canvass/postgres';
import type { DataListItem } from '@canvass/contracts';
import { LRUCache } from 'lru-cache';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { grades, Matches, wantedOf, type MatchMode, type Window } from './matches';
import { createSearchData, type SearchDataDeps } from './search-data';
import { countOf } from './text-block';
import { selectItemsAt, type Field, type ItemsVersion } from './search-data.sql';

export interface SearchRequest {
  /** The query as typed. Empty if folding leaves nothing; then every item matches. */
  query: string;
  matchMode: MatchMode;
  /** The key by which labels are shown, searched and sorted. An item without it shows `default`. */
  shown: string;
  /** Further keys that are searched. */
  included: readonly string[];
  /** A name from pg_collation, see `createCollations`; null for the order of the file, which matches keep. */
  collation: string | null;
  window: Window;
}

export interface ItemSearch {
  /** A page of matching items with all their labels, and the total number of matches. */
  find(from: ItemsVersion, request: SearchRequest): Promise<{ total: number; items: DataListItem[] }>;
}

interface Found {
  total: number;
  positions: Uint32Array;
}

/** Queries whose first positions are kept, and how many positions: the largest page. */
const maxHeads = 2000;
const headSize = 200;

/** Milliseconds for which a search works before other requests get the process. */
const maxSliceMs = 4;

/** Searches versions of items in memory: see the README of this folder. */
export function createItemSearch(deps: SearchDataDeps): ItemSearch {
  const { db } = deps;
  const data = createSearchData(deps);
  const heads = new LRUCache<string, Promise<Found>>({ max: maxHeads });

  async function matchesOf(
    from: ItemsVersion,
    query: string,
    { matchMode, shown, included, collation }: SearchRequest,
  ): Promise<Matches> {
    const value: Field = { key: 'value', orElse: 'value' };
    const fields = [
      value,
      { key: shown, orElse: 'default' },
      ...included.map((key): Field => ({ key, orElse: key })),
    ];
    // Postgres sorts while this process folds.
    const [order] = await Promise.all([data.order(from, shown, collation), data.texts(from, value)]);
    const matches = new Matches(order, collation === null ? grades.contains : grades.exact);
    const wanted = wantedOf(query, matchMode);
    let sliceEnd = performance.now() + maxSliceMs;
    // One field at a time: not all languages of a list must fit into memory.
    for (const field of fields) {
      let position = 0;
      for await (const block of await data.texts(from, field)) {
        if (performance.now() > sliceEnd) {
          await nextTurn();
          sliceEnd = performance.now() + maxSliceMs;
        }
        matches.add(block, position, wanted);
        position += countOf(block);
      }
    }
    return matches;
  }

  /** The first positions of frequent queries, the first letters that people type, are found once. */
  async function pageOf(from: ItemsVersion, request: SearchRequest): Promise<Found> {
    const { window, ...asked } = request;
    const query = fold(request.query);
    const end = window.offset + window.limit;
    if (query === '') {
      const { positionAt } = await data.order(from, request.shown, request.collation);
      return { total: from.count, positions: positionAt.subarray(window.offset, end) };
    }
    const find = async (part: Window): Promise<Found> => {
      const matches = await matchesOf(from, query, request);
      return { total: matches.total, positions: matches.page(part) };
    };
    if (end > headSize) return find(window);
    const key = JSON.stringify([from, { ...asked, query }]);
    let head = heads.get(key);
    if (head === undefined) {
      head = find({ offset: 0, limit: headSize });
      heads.set(key, head);
      head.catch(() => heads.delete(key));
    }
    const { total, positions } = await head;
    return { total, positions: positions.subarray(window.offset, end) };
  }

  return {
    async find(from, request) {
      const { total, positions } = await pageOf(from, request);
      return { total, items: await selectItemsAt(db, from, positions) };
    },
  };
}
