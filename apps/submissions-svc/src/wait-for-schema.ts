import { setTimeout as delay } from 'node:timers/promises';
import { connectionFault, sqlState } from '@canvass/postgres';

/** The schema is not ready: the server is starting or full, or role, schema or tables do not exist yet. */
const notYet = /^(08|28|53|57P|3D000|3F000|42P01)/;

/**
 * Retries the first work that needs the schema until the schema exists. Without `MigrateOnStart` another
 * process migrates it, possibly after this process has started.
 *
 * @throws any other error, and the reason of `signal` when the process is stopped
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
