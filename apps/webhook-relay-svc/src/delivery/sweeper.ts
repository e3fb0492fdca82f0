import type { Logger } from '@canvass/service-kit';
import type { Claims } from './claim';
import type { Deliverer } from './deliverer';

/** Starts what is due: retries, deliveries that found no room, jobs that nobody took, leases that ran out. */
export interface Sweeper {
  start(): void;
  /** Sweep now: something became due. */
  wake(): void;
  /** Something found no room: sweep when the next delivery ends. */
  expectBacklog(): void;
  stop(): Promise<void>;
}

export interface SweeperDeps {
  claims: Pick<Claims, 'freeLost'>;
  deliverer: Deliverer;
  logger: Logger;
  /** Pause between two sweeps when nothing is due, ±20 % so that copies do not sweep in step. */
  intervalMs: number;
}

const shortestPauseMs = 5;
const longestPauseMs = 5_000;

export function createSweeper({ claims, deliverer, logger, intervalMs }: SweeperDeps): Sweeper {
  let loop: Promise<void> | undefined;
  let stopped = false;
  let backlog = false;
  let woken = false;
  let lookForLostAt = 0;
  /** Sweeps in a row that failed; the database is away. */
  let failures = 0;
  let wakeUp: () => void = () => undefined;

  async function sweep(): Promise<void> {
    try {
      if (failures > 0 || performance.now() >= lookForLostAt) {
        const leases = await claims.freeLost();
        if (leases > 0) logger.warn({ leases }, 'expired leases released');
        lookForLostAt = performance.now() + intervalMs;
      }
      backlog = (await deliverer.deliverDue()) > 0 || !deliverer.hasRoom();
      if (failures > 0) logger.info({ failures }, 'sweeps succeed again');
      failures = 0;
    } catch (error) {
      backlog = false;
      failures += 1;
      if (failures === 1 && !stopped) logger.error({ error }, 'sweep failed; retrying');
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

  // While there is more than there is room for, whatever ends makes room for the next.
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
