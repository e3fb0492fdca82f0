import { dataOf } from './data-of';

/** A page, as lists return it. */
export interface KeyPage<T> {
  items: T[];
  /** The cursor of the next page; null on the last. */
  next: string | null;
}

/**
 * Reads a list page by page. Items that are created or deleted meanwhile move nothing.
 *
 * ```ts
 * const pages = itemsOf((after) =>
 *   canvass.GET('/api/users', { params: { query: { limit: 200, ...after } } }),
 * );
 * for await (const user of pages) …
 * ```
 *
 * @param read requests a page; `after` is empty for the first one
 * @throws {CanvassError} if a request does not succeed
 */
export async function* itemsOf<T>(
  read: (after: { after?: string }) => Promise<{ data?: KeyPage<T>; error?: unknown; response: Response }>,
): AsyncGenerator<T> {
  for (let next: string | null = null; ;) {
    const page: KeyPage<T> = await dataOf(read(next === null ? {} : { after: next }));
    yield* page.items;
    next = page.next;
    if (next === null) return;
  }
}
