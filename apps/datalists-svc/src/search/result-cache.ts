import type { Window } from './item-order';

/** The beginning of what a search found. */
export interface Result {
  total: number;
  positions: Uint32Array;
}

/** Remembers what was found for queries that come again and again: the first letters that people type. */
export interface ResultCache {
  /** Null where the query is not known, or not as far as the window reaches. */
  get(key: string, window: Window): Result | null;
  /** The window to search, so that the next pages are known too. */
  headOf(window: Window): Window;
  /** Keeps a result of `headOf(window)`; gives the window's part of it. */
  put(key: string, window: Window, found: { total: number; head: Uint32Array }): Result;
}

/** Positions kept of a query: the largest page. */
const headSize = 200;
const queriesKept = 2000;

export function createResultCache(): ResultCache {
  // In order of use, the latest last.
  const kept = new Map<string, { total: number; head: Uint32Array }>();
  const end = ({ limit, offset }: Window) => limit + offset;

  return {
    get(key, window) {
      const known = kept.get(key);
      if (known === undefined || (end(window) > headSize && known.total > headSize)) return null;
      kept.delete(key);
      kept.set(key, known);
      return { total: known.total, positions: known.head.subarray(window.offset, end(window)) };
    },
    headOf: (window) => (end(window) > headSize ? window : { offset: 0, limit: headSize }),
    put(key, window, { total, head }) {
      if (end(window) > headSize) return { total, positions: head };
      kept.set(key, { total, head });
      if (kept.size > queriesKept) kept.delete(kept.keys().next().value!);
      return { total, positions: head.subarray(window.offset, end(window)) };
    },
  };
}
