import { every, type Loop } from '@canvass/async';
import { advisoryLocks, type Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import { keptDays } from './kept-days';
import { deleteExpiredStats, rollUp } from './roll-up.sql';

export interface RollUpDeps {
  db: Database;
  logger: Logger;
  /** `Service:WebHooks:MinuteStatisticsDays`. */
  minuteDays: number;
}

const pauseMs = 10_000;
const rowsAtOnce = 20_000;

/**
 * Moves recorded attempts into the statistics and deletes old statistics. Any number of replicas may run it.
 */
export function createRollUp({ db, logger, minuteDays }: RollUpDeps): Loop {
  const step = async (): Promise<number | void> => {
    if (await runRollUp(db, minuteDays)) return 0;
  };
  return every(pauseMs, step, {
    atOnce: true,
    onError: (error) => logger.warn({ error }, 'failed to count attempts; trying again'),
  });
}

/** One step. Does nothing if another replica is at it. Returns whether more is left. */
export async function runRollUp(db: Database, minuteDays: number): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [lock] = await tx.query<{ acquired: boolean }>(
      `select pg_try_advisory_xact_lock(${advisoryLocks.attemptStats}, hashtext(current_schema())) as acquired`,
    );
    if (!lock!.acquired) return false;
    const [row] = await tx.query(rollUp({ rows: rowsAtOnce }));
    const removed = await tx.query(deleteExpiredStats({ ...keptDays(minuteDays), rows: rowsAtOnce }));
    return row!.taken === rowsAtOnce || removed.length >= rowsAtOnce;
  });
}
