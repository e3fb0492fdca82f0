import { createWakeableSleep, retry } from '@canvass/async';
import { sqlState } from './faults';

interface Waiting<T, R> {
  item: T;
  resolve(result: R): void;
  reject(error: unknown): void;
}

/** Limits of one group. */
export interface GroupLimits<T> {
  items: number;
  /** Total of `bytesOf` over its items; a larger item is a group of its own. */
  bytes?: number;
  bytesOf?: (item: T) => number;
  /** Milliseconds that a group waits for further items, unless it has enough. 0: it waits for nothing. */
  waitMs?: number;
  /** Items with which a group waits no longer; default: as many as it may have. */
  enough?: number;
}

/** Classes of SQLSTATE in which a value is at fault: data, constraint, limit. */
const dataFault = /^(22|23|54)/;
/** Serialization failure and deadlock: a second attempt can succeed. */
const collision = /^40(001|P01)$/;
const retryOptions = {
  when: (error: unknown) => collision.test(sqlState(error) ?? ''),
  times: 4,
  delay: 0,
};

/**
 * Group commit: items that arrive while one statement runs are written together by the next one, with one
 * commit. A group that met another process in a deadlock is written again. A group with a bad value is
 * written item by item, so that only that item fails. A lost connection fails the whole group.
 *
 * @param write writes a group and resolves with one result per item, in their order
 */
export function groupCommit<T, R>(
  limits: GroupLimits<T>,
  write: (items: readonly T[]) => Promise<readonly R[]>,
): (item: T) => Promise<R> {
  const { waitMs = 0, enough = limits.items } = limits;
  const waiting: Waiting<T, R>[] = [];
  let working = false;
  const sleeper = createWakeableSleep();

  function nextGroup(): Waiting<T, R>[] {
    const { items, bytes = Infinity, bytesOf = () => 0 } = limits;
    let total = 0;
    let size = 0;
    while (size < Math.min(items, waiting.length)) {
      total += bytesOf(waiting[size]!.item);
      if (size > 0 && total > bytes) break;
      size += 1;
    }
    return waiting.splice(0, size);
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      if (waitMs > 0 && waiting.length < enough) await sleeper.sleep(waitMs);
      const group = nextGroup();
      try {
        const results = await retry(() => write(group.map(({ item }) => item)), retryOptions);
        group.forEach(({ resolve }, index) => resolve(results[index]!));
      } catch (error) {
        if (group.length > 1 && dataFault.test(sqlState(error) ?? '')) await eachAlone(group);
        else for (const { reject } of group) reject(error);
      }
    }
    working = false;
  }

  async function eachAlone(group: readonly Waiting<T, R>[]): Promise<void> {
    for (const { item, resolve, reject } of group)
      await write([item]).then(([result]) => resolve(result!), reject);
  }

  return (item) =>
    new Promise<R>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (waiting.length >= enough) sleeper.wake();
      if (working) return;
      working = true;
      // Items of the same turn of the event loop share the first group.
      setImmediate(() => void work());
    });
}
