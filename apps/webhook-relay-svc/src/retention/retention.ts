import { every, type Loop } from '@canvass/async';
import type { Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import { createDays, deleteExpired } from './delete-expired';
import { LockNotAcquired, type RetentionRun } from './locked-step';

export interface RetentionDeps {
  db: Database;
  logger: Logger;
  /** The time from its making for which a delivery and all that belongs to it is kept. */
  keptSeconds: number;
}

const everyMs = 3_600_000;

/** Creates and drops the daily partitions of messages and deliveries, at start and then every hour. */
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
  const run: RetentionRun = { db, logger, signal };
  try {
    const created = await createDays(run);
    if (created.length > 0) logger.info({ partitions: created }, 'created daily partitions');
    const deleted = await deleteExpired(run, keptSeconds);
    if (Object.values(deleted).some((each) => (Array.isArray(each) ? each.length > 0 : each > 0)))
      logger.info({ ...deleted }, 'deleted expired deliveries');
  } catch (error) {
    if (!(error instanceof LockNotAcquired)) throw error;
  }
}
