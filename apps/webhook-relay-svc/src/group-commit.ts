import { sqlState } from '@canvass/postgres';

interface Waiting<T, R> {
  item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/**
 * Group commit: whatever comes while one statement runs is written together by the next, with one commit for all.
 * `write` calls `take` when it can begin, as late as possible, and gives one result per item taken, in their order. When a
 * group fails by a statement of its own (not by a lost connection), each item is written alone, so that one bad item harms none.
 *
 * @param most items of one group
 */
export function groupCommit<T, R>(
  most: number,
  write: (take: () => readonly T[]) => Promise<readonly R[]>,
): (item: T) => Promise<R> {
  const waiting: Waiting<T, R>[] = [];
  let working = false;

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const group: Waiting<T, R>[] = [];
      const take = () => {
        group.push(...waiting.splice(0, most - group.length));
        return group.map(({ item }) => item);
      };
      try {
        const results = await write(take);
        group.forEach(({ resolve }, index) => resolve(results[index]!));
      } catch (error) {
        if (group.length === 0) take(); // it failed before it began
        if (group.length > 1 && sqlState(error) !== undefined) await eachAlone(group);
        else for (const { reject } of group) reject(error);
      }
    }
    working = false;
  }

  async function eachAlone(group: readonly Waiting<T, R>[]): Promise<void> {
    for (const { item, resolve, reject } of group)
      await write(() => [item]).then(([result]) => resolve(result!), reject);
  }

  return (item) =>
    new Promise<R>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (working) return;
      working = true;
      // What arrives in the same turn of the event loop shares the first group.
      setImmediate(() => void work());
    });
}
