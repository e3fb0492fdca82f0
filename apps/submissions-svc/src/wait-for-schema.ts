import { setTimeout as delay } from 'node:timers/promises';
import { connectionFault, sqlState } from '@canvass/postgres';

/** Not there yet: the server is starting or full, or the role, the schema or its tables are still to be made. */
const notYet = /^(08|28|53|57P|3D000|3F000|42P01)/;

/**
 * Does the first work that needs the schema, again and again until it is there: without `MigrateOnStart` somebody else
 * brings it up to date, maybe after this process has started.
 *
 * @throws whatever is not a matter of waiting, and the reason of `signal` when a stop is asked for
 */
export async function waitForSchema(
  work: () => Promise<void>,
  signal: AbortSignal,
  onWait: (reason: string) => void,
): Promise<void> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!connectionFault(error) && !notYet.test(sqlState(error) ?? '')) throw error;
      onWait((error as Error).message);
      await delay(1_000, undefined, { signal });
    }
  }
}
