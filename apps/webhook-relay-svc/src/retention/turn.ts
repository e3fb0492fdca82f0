import { retry } from '@canvass/async';
import { sqlState, type Database, type Tx } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';

/** Another copy of the relay is at it. */
export class NotMyTurn extends Error {}

const lockKey = 7_226_004;
const tries = 10;
const pauseMs = 1_000;
const lockNotAvailable = '55P03';

/** What a pass is made with. */
export interface Turn {
  db: Database;
  logger: Logger;
  /** Ends the pass between two steps. */
  signal: AbortSignal;
}

/**
 * One step as a transaction: one copy's at a time, and never one that makes others wait for long. A drop
 * waits for a table's lock and whoever comes after waits for the drop; so it gives up soon, pauses, and tries
 * again.
 *
 * @throws {NotMyTurn}
 */
export async function turn<T>({ db, signal }: Turn, step: (tx: Tx) => Promise<T>): Promise<T> {
  const locked = () =>
    db.transaction(async (tx) => {
      const [row] = await tx.query<{ mine: boolean }>(
        `select pg_try_advisory_xact_lock(${lockKey}, hashtext(current_schema())) as mine`,
      );
      if (!row?.mine) throw new NotMyTurn();
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
