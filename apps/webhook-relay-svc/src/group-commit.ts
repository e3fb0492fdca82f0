import { sqlState } from '@canvass/postgres';

interface Waiting<T, R> {
  item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/** Classes of SQLSTATE in which a value is at fault: data, constraint, limit. */
const dataFault = /^(22|23|54)/;
/**
 * Serialization failure and deadlock: nothing is wrong with what was written, and the other side has gone on.
 */
const collision = /^40(001|P01)$/;
const mostTries = 4;

/**
 * Group commit: whatever comes while one statement runs is written together by the next, with one commit for
 * all. `write` calls `take` when it can begin, as late as possible, and gives one result per item taken, in
 * their order. A group that met another process in a deadlock is written again; one that holds a bad value is
 * written item by item, so that only that one fails; a lost connection fails all.
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
        const results = await insistently(() => write(take));
        group.forEach(({ resolve }, index) => resolve(results[index]!));
      } catch (error) {
        if (group.length === 0) take(); // it failed before it began
        if (group.length > 1 && dataFault.test(sqlState(error) ?? '')) await eachAlone(group);
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

async function insistently<R>(write: () => Promise<R>): Promise<R> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (tries === mostTries || !collision.test(sqlState(error) ?? '')) throw error;
    }
  }
}
