import type { Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import { makeDays, removeOld } from './remove-old';
import { NotMyTurn, type Turn } from './turn';

/** Keeps the delivery log by days: makes them ahead, drops those past their time. */
export interface Retention {
  /** Begins at once, then every hour. */
  start(): void;
  /** One pass, unless another copy of the relay is at it; does not throw. */
  pass(): Promise<void>;
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
  let going: Promise<void> | undefined;

  async function work(): Promise<void> {
    const job: Turn = { db, logger, signal: stopping.signal };
    try {
      const made = await makeDays(job);
      if (made.length > 0) logger.info({ partitions: made }, 'created daily partitions');
      const removed = await removeOld(job, keptSeconds);
      if (Object.values(removed).some((each) => (Array.isArray(each) ? each.length > 0 : each > 0)))
        logger.info({ ...removed }, 'deleted expired deliveries');
    } catch (error) {
      if (error instanceof NotMyTurn || stopping.signal.aborted) return;
      logger.warn({ error }, 'retention run failed; retrying in an hour');
    }
  }

  const pass = () => (going ??= work().finally(() => (going = undefined)));

  return {
    pass,
    start() {
      timer ??= setInterval(() => void pass(), everyMs).unref();
      void pass();
    },
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await going;
    },
  };
}
