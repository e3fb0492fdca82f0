import type { Database } from '@canvass/postgres';
import { deleteDay, markExpiredDay } from './seal.sql';

/**
 * Drops the rows of days that are older than `keptDays`, one tenant and day at a time. The number of rows and
 * the last hash of the day stay, so that the chain can still be verified from day to day.
 *
 * @returns the number of dropped days
 */
export async function dropExpiredDays(db: Database, keptDays: number, signal: AbortSignal): Promise<number> {
  for (let dropped = 0; ; dropped++) {
    const isDone = await db.transaction(async (tx) => {
      const [day] = await tx.query(markExpiredDay({ keptDays }));
      if (day) await tx.query(deleteDay(day));
      return !day;
    });
    if (isDone || signal.aborted) return dropped;
  }
}
