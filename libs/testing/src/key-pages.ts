/** A page, as a client reads it. */
export interface KeyPageReply<T> {
  items: T[];
  next: string | null;
  previous: string | null;
  total: number | null;
  totalIsExact: boolean;
}

/**
 * Reads a list to its end, and from the last page back to its start.
 *
 * @param read requests a page with these parameters
 * @param between runs after each page, and may add records
 * @returns the items of each way, both in the order of the list
 */
export async function walkByKey<T>(
  read: (parameters: string) => Promise<KeyPageReply<T>>,
  limit: number,
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<{ forward: T[]; backward: T[] }> {
  let page = await read(`limit=${limit}`);
  if (page.previous !== null) throw new Error('The first page has a previous one.');
  const forward = [...page.items];
  while (page.next !== null) {
    await between();
    page = await read(`limit=${limit}&after=${page.next}`);
    if (page.items.length === 0 || page.items.length > limit)
      throw new Error(`A page has ${page.items.length} items.`);
    forward.push(...page.items);
  }
  const backward = [...page.items];
  while (page.previous !== null) {
    await between();
    page = await read(`limit=${limit}&before=${page.previous}`);
    if (page.items.length > limit) throw new Error(`A page has ${page.items.length} items.`);
    backward.unshift(...page.items);
  }
  return { forward, backward };
}
