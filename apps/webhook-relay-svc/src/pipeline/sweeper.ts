import { every } from '@canvass/async';
import type { Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import { setTimeout as sleep } from 'node:timers/promises';
import { cancelRemoved } from './claim.sql';
import type { Deliverer } from './deliverer';
import type { Leases } from './leases';

interface SweeperDeps {
  db: Database;
  leases: Leases;
  deliverer: Deliverer;
  logger: Logger;
  /** Pause between two sweeps while nothing is due, ±20 % so that replicas do not sweep in step. */
  intervalMs: number;
}

const minPauseMs = 5;
const maxPauseMs = 5_000;
const cancelledAtOnce = 1_000;

/**
 * Starts what is due: retries, deliveries that found no room, jobs that were lost, expired leases. Cancels
 * what waits for removed endpoints, one step per sweep. `wake` it when something became due.
 */
export function createSweeper({ db, leases, deliverer, logger, intervalMs }: SweeperDeps) {
  let backlog = false;
  let housekeepAt = 0;
  /** Consecutive sweeps that failed because the database is away. */
  let failures = 0;

  /** Resolves with whether there is more to cancel. */
  async function housekeep(): Promise<boolean> {
    if (failures === 0 && performance.now() < housekeepAt) return false;
    const released = await leases.releaseLost();
    if (released > 0) {
      logger.warn({ leases: released }, 'expired leases released');
    }
    const [row] = await db.query(cancelRemoved({ rows: cancelledAtOnce }));
    const hasMore = row!.cancelled !== null;
    housekeepAt = hasMore ? 0 : performance.now() + intervalMs;
    return hasMore;
  }

  async function sweep(): Promise<number> {
    const hasMore = await housekeep();
    backlog = false; // before the claim: a delivery that finds no room meanwhile sets it again
    const started = await leases.due();
    deliverer.start(started);
    if (started.length > 0 || !leases.hasRoom()) backlog = true;
    if (failures > 0) logger.info({ failures }, 'sweeps succeed again');
    failures = 0;
    await sleep(minPauseMs);
    return hasMore ? 0 : pause();
  }

  function failed(error: unknown): number {
    backlog = false;
    failures += 1;
    if (failures === 1) logger.error({ error }, 'sweep failed; retrying');
    return pause();
  }

  function pause(): number {
    const backOff = Math.min(intervalMs * 2 ** Math.min(failures, 10), Math.max(maxPauseMs, intervalMs));
    return backOff * (0.8 + 0.4 * Math.random());
  }

  const loop = every(intervalMs, sweep, { atOnce: true, onError: failed });
  // While more is due than there is room for, the end of each delivery makes room for the next. A claim
  // finds nothing, too, while all slots of an endpoint are in use, so deliveries from the queue always wake.
  deliverer.onFinished(({ isFromQueue }) => (backlog || isFromQueue) && loop.wake());
  return {
    ...loop,
    /** Something found no room: sweep when the next delivery ends. */
    expectBacklog: () => void (backlog = true),
  };
}
