import { every, type Loop } from '@canvass/async';
import type { Logger } from '@canvass/service-kit';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Claims } from './claim';
import type { Deliverer } from './deliverer';

/** Starts what is due: retries, deliveries that found no room, jobs that nobody took, leases that ran out. */
export interface Sweeper extends Loop {
  /** Something found no room: sweep when the next delivery ends. */
  expectBacklog(): void;
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
  let backlog = false;
  let releaseExpiredAt = 0;
  /** Sweeps in a row that failed; the database is away. */
  let failures = 0;

  async function sweep(): Promise<number> {
    if (failures > 0 || performance.now() >= releaseExpiredAt) {
      const leases = await claims.freeLost();
      if (leases > 0) logger.warn({ leases }, 'expired leases released');
      releaseExpiredAt = performance.now() + intervalMs;
    }
    backlog = (await deliverer.deliverDue()) > 0 || !deliverer.hasRoom();
    if (failures > 0) logger.info({ failures }, 'sweeps succeed again');
    failures = 0;
    await sleep(shortestPauseMs);
    return pause();
  }

  function failed(error: unknown): number {
    backlog = false;
    failures += 1;
    if (failures === 1) logger.error({ error }, 'sweep failed; retrying');
    return pause();
  }

  function pause(): number {
    const backOff = Math.min(intervalMs * 2 ** Math.min(failures, 10), Math.max(longestPauseMs, intervalMs));
    return backOff * (0.8 + 0.4 * Math.random());
  }

  const loop = every(intervalMs, sweep, { atOnce: true, onError: failed });
  // While there is more than there is room for, whatever ends makes room for the next.
  deliverer.onFinished(() => backlog && loop.wake());
  return { ...loop, expectBacklog: () => void (backlog = true) };
}
