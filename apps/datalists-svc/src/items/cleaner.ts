import type { Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import { removeStaleColumns } from '../search';
import { removeDiscardedBatch } from './discard';

const intervalMs = 60_000;

export interface Cleaner {
  start(): void;
  stop(): Promise<void>;
}

/** Deletes discarded item versions and outdated search data in the background, once a minute. */
export function createCleaner(db: Database, logger: Logger): Cleaner {
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;

  async function clean(): Promise<void> {
    try {
      while (!stopped && (await removeDiscardedBatch(db)));
      await removeStaleColumns(db);
    } catch (error) {
      logger.warn({ error }, 'failed to delete discarded items; retrying in the next run');
    }
  }

  return {
    start() {
      timer = setInterval(() => {
        running = running.then(clean);
      }, intervalMs);
      timer.unref();
    },
    async stop() {
      stopped = true;
      if (timer !== null) clearInterval(timer);
      await running;
    },
  };
}
