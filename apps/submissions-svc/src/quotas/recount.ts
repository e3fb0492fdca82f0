import { every, type Loop } from '@canvass/async';
import type { Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import { beginRecount, countAnswers, endRecount, findToRecount, removeOldFormUses } from './uses.sql';

const everyMs = 600_000;
const rowsAtOnce = 5_000;

/**
 * Counts the bytes of a tenant's answers again, in small steps, because deletions, erasures and processes
 * that ended without sending their counts are not in the sum. Saves while it runs may be in it twice until
 * the next recount.
 *
 * @returns false if another process began one within the hour
 */
export async function recountAnswers(db: Database, tenantId: string, signal?: AbortSignal): Promise<boolean> {
  const [claim] = await db.query(beginRecount({ tenantId }));
  if (claim === undefined) return false;
  let counted = 0n;
  const { claimedAt, before, until } = claim;
  for (let after = '0', isDone = false; !isDone;) {
    signal?.throwIfAborted();
    const [row] = await db.query(countAnswers({ tenantId, after, until, limit: rowsAtOnce }));
    counted += BigInt(row!.bytes);
    after = row!.last ?? after;
    isDone = row!.last === null;
  }
  await db.query(endRecount({ tenantId, claimedAt, before, counted: String(counted) }));
  return true;
}

/** Recounts the answers of each tenant once a day. The first time is soon after the start. */
export const createRecount = (db: Database, logger: Logger): Loop =>
  every(
    everyMs,
    async (signal) => {
      await db.query(removeOldFormUses());
      for (const { tenantId } of await db.query(findToRecount())) await recountAnswers(db, tenantId, signal);
    },
    {
      atOnce: true,
      onError: (error) =>
        logger.warn({ error }, 'failed to count the answers of the tenants; retrying in ten minutes'),
    },
  );
