import type { Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import { cancelRemoved } from './claim.sql';
import type { Deliverer } from './deliverer';
import type { Leases } from './leases';

/**
 * Starts what is due: retries, deliveries that found no room, jobs that were lost, expired leases. Cancels what waits
 * for removed endpoints, one step per sweep.
 */
export interface Sweeper {
  start(): void;
  /** Sweep now: something became due. */
  wake(): void;
  /** Something found no room: sweep when the next delivery ends. */
  expectBacklog(): void;
  stop(): Promise<void>;
}

export interface SweeperDeps {
  db: Database;
  leases: Leases;
  deliverer: Deliverer;
  logger: Logger;
  /** Pause between two sweeps while nothing is due, ±20 % so that replicas do not sweep in step. */
  intervalMs: number;
}

const shortestPauseMs = 5;
const longestPauseMs = 5_000;
const cancelledAtOnce = 1_000;

export function createSweeper({ db, leases, deliverer, logger, intervalMs }: SweeperDeps): Sweeper {
  let loop: Promise<void> | undefined;
  let stopped = false;
  let backlog = false;
  let woken = false;
  let housekeepAt = 0;
  /** Consecutive sweeps that failed because the database is away. */
  let failures = 0;
  let wakeUp: () => void = () => undefined;

  async function housekeep(): Promise<void> {
    const released = await leases.releaseLost();
    if (released > 0) logger.warn({ leases: released }, 'expired leases released');
    const [row] = await db.query<{ cancelled: number | null }>(cancelRemoved, [cancelledAtOnce]);
    const hasMore = row!.cancelled !== null;
    if (hasMore) woken = true;
    housekeepAt = hasMore ? 0 : performance.now() + intervalMs;
  }

  async function sweep(): Promise<void> {
    try {
      if (failures > 0 || performance.now() >= housekeepAt) await housekeep();
      const started = await leases.due();
      deliverer.start(started);
      backlog = started.length > 0 || !leases.hasRoom();
      if (failures > 0) logger.info({ failures }, 'sweeps work again');
      failures = 0;
    } catch (error) {
      backlog = false;
      failures += 1;
      if (failures === 1 && !stopped) logger.error({ error }, 'sweep failed; it is repeated until it works');
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      woken = false;
      await sweep();
      await pause(shortestPauseMs);
      const backOff = Math.min(
        intervalMs * 2 ** Math.min(failures, 10),
        Math.max(longestPauseMs, intervalMs),
      );
      if (!woken) await pause(backOff * (0.8 + 0.4 * Math.random()));
    }
  }

  function pause(ms: number): Promise<void> {
    if (stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      if (ms > shortestPauseMs) wakeUp = () => (clearTimeout(timer), resolve());
    });
  }

  function wake(): void {
    woken = true;
    wakeUp();
  }

  // While more is due than there is room for, the end of each delivery makes room for the next.
  deliverer.onFinished(() => backlog && wake());

  return {
    start: () => void (loop ??= run()),
    wake,
    expectBacklog: () => void (backlog = true),
    async stop() {
      stopped = true;
      wake();
      await loop;
    },
  };
}
