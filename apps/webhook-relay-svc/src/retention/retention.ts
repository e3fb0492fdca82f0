import type { Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import { createDays, deleteExpired } from './delete-expired';
import { LockNotAcquired, type RetentionRun } from './locked-step';

/** Keeps the delivery log by days: creates them ahead and drops the expired ones. */
export interface Retention {
  /** Runs at once, then every hour. */
  start(): void;
  /** One run, unless another replica is running it; does not throw. */
  run(): Promise<void>;
  stop(): Promise<void>;
}

export interface RetentionDeps {
  db: Database;
  logger: Logger;
  /** How long after a delivery was made it and all that belongs to it is kept. */
  keptSeconds: number;
}

const everyMs = 3_600_000;

export function createRetention({ db, logger, keptSeconds }: RetentionDeps): Retention {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  async function work(): Promise<void> {
    const run: RetentionRun = { db, logger, signal: stopping.signal };
    try {
      const created = await createDays(run);
      if (created.length > 0) logger.info({ partitions: created }, 'created daily partitions');
      const deleted = await deleteExpired(run, keptSeconds);
      if (Object.values(deleted).some((each) => (Array.isArray(each) ? each.length > 0 : each > 0)))
        logger.info({ ...deleted }, 'deleted expired rows of the delivery log');
    } catch (error) {
      if (error instanceof LockNotAcquired || stopping.signal.aborted) return;
      logger.warn({ error }, 'retention run failed; retrying in an hour');
    }
  }

  const run = () => (running ??= work().finally(() => (running = undefined)));

  return {
    run,
    start() {
      timer ??= setInterval(() => void run(), everyMs).unref();
      void run();
    },
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
