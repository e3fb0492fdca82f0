import { every, type Loop } from '@canvass/async';
import type { Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import { removeDiscardedBatch } from './discard';

const intervalMs = 60_000;

/**
 * Deletes discarded item versions and what `alsoRemove` deletes in the background, once a minute.
 */
export function createCleaner(
  db: Database,
  logger: Logger,
  alsoRemove: (db: Database) => Promise<void>,
): Loop {
  return every(
    intervalMs,
    async (signal) => {
      while (!signal.aborted && (await removeDiscardedBatch(db)));
      await alsoRemove(db);
    },
    {
      onError: (error) =>
        logger.warn({ error }, 'failed to delete discarded items; retrying in the next run'),
    },
  );
}
