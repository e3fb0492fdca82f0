import type { Window } from './item-order';

/** The first part of a search result. */
interface Result {
  total: number;
  positions: Uint32Array;
}

/** Caches the results of frequent queries: the first letters that people type. */
export interface ResultCache {
  /** Null if the query is not cached, or not up to the end of the window. */
  get(key: string, window: Window): Result | null;
  /** The window to search, so that the next pages are cached, too. */
  headOf(window: Window): Window;
  /** Caches a result of `headOf(window)` and returns the part of the window. */
  put(key: string, window: Window, found: { total: number; head: Uint32Array }): Result;
}

/** Cached positions per query: the largest page. */
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
