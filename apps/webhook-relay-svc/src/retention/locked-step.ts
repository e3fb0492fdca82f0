import { retry } from '@canvass/async';
import { advisoryLocks, sqlState, type Database, type Tx } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';

/** Another replica runs the retention. */
export class LockNotAcquired extends Error {}

const tries = 10;
const pauseMs = 1_000;
const lockNotAvailable = '55P03';

/** The parameters of a retention run. */
export interface RetentionRun {
  db: Database;
  logger: Logger;
  /** Ends the run between two steps. */
  signal: AbortSignal;
}

/**
 * One step as a transaction: one replica at a time, and without a long wait for a lock. A drop waits for
 * the lock of a table, and every later statement waits for the drop; so it gives up soon, pauses, and tries
 * again.
 *
 * @throws {LockNotAcquired}
 */
export async function lockedStep<T>({ db, signal }: RetentionRun, step: (tx: Tx) => Promise<T>): Promise<T> {
  const locked = () =>
    db.transaction(async (tx) => {
      const [row] = await tx.query<{ acquired: boolean }>(
        `select pg_try_advisory_xact_lock(${advisoryLocks.retention}, hashtext(current_schema())) as acquired`,
      );
      if (!row?.acquired) throw new LockNotAcquired();
      await tx.query(`set local lock_timeout = '500ms'`);
      return step(tx);
    });
  return retry(locked, {
    when: (error) => sqlState(error) === lockNotAvailable,
    times: tries,
    delay: pauseMs,
    signal,
  });
}
