import { every, type Loop } from '@canvass/async';
import type { Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import { makeDays, removeOld } from './remove-old';
import { NotMyTurn, type Turn } from './turn';

export interface RetentionDeps {
  db: Database;
  logger: Logger;
  /** How long after a delivery was made it and all that belongs to it is kept. */
  keptSeconds: number;
}

const everyMs = 3_600_000;

/** Creates and drops the daily partitions of the delivery log, at start and then every hour. */
export function createRetention(deps: RetentionDeps): Loop {
  return every(everyMs, (signal) => runRetention(deps, signal), {
    atOnce: true,
    onError: (error) => deps.logger.warn({ error }, 'retention run failed; retrying in an hour'),
  });
}

/** One run. It does nothing if another replica is running one. */
export async function runRetention(
  { db, logger, keptSeconds }: RetentionDeps,
  signal: AbortSignal,
): Promise<void> {
  const job: Turn = { db, logger, signal };
  try {
    const made = await makeDays(job);
    if (made.length > 0) logger.info({ partitions: made }, 'created daily partitions');
    const removed = await removeOld(job, keptSeconds);
    if (Object.values(removed).some((each) => (Array.isArray(each) ? each.length > 0 : each > 0)))
      logger.info({ ...removed }, 'deleted expired deliveries');
  } catch (error) {
    if (!(error instanceof NotMyTurn)) throw error;
  }
}
