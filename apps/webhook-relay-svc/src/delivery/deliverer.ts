import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@canvass/service-kit';
import { attempt, unreadable } from './attempt';
import type { Claimed, Claims } from './claim';
import type { DeliveryMetrics } from './delivery-metrics';
import type { Attempt, Recorder } from './record';
import type { Sender } from './sender';

/** Claims, sends and records; the same code for deliveries of this process's own events, of jobs, and due retries. */
export interface Deliverer {
  /** Starts those of `ids` that may start now and gives their number; the others stay where they are, in Postgres. */
  deliver(ids: readonly string[]): Promise<number>;
  /** Starts what is due, as far as there is room, and gives the number. */
  deliverDue(): Promise<number>;
  /** Called after each delivery that has ended. */
  onFinished(fn: () => void): void;
  inFlight(): number;
  hasRoom(): boolean;
  /** Claims nothing more, waits for what is in flight, gives back what is not done after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

export interface DelivererDeps {
  claims: Claims;
  sender: Sender;
  recorder: Recorder;
  metrics: DeliveryMetrics;
  logger: Logger;
  /** Most deliveries in flight in this process. */
  maxInFlight: number;
}

const recordTries = 5;

export function createDeliverer(deps: DelivererDeps): Deliverer {
  const { claims, sender, recorder, metrics, logger, maxInFlight } = deps;
  const running = new Set<Promise<void>>();
  const listeners: (() => void)[] = [];
  const cut = new AbortController();
  setMaxListeners(0, cut.signal);
  let reserved = 0;
  let stopping = false;

  /** Reserves room before the claim, so that two claims side by side cannot overfill the process. */
  async function start(wanted: number, claim: (room: number) => Promise<Claimed[]>): Promise<number> {
    const room = Math.min(wanted, maxInFlight - running.size - reserved);
    if (stopping || room <= 0) return 0;
    reserved += room;
    try {
      const claimed = await claim(room);
      for (const delivery of claimed) run(delivery);
      return claimed.length;
    } finally {
      reserved -= room;
    }
  }

  function run(delivery: Claimed): void {
    const done = finish(delivery)
      .catch((error: unknown) =>
        logger.error(
          { error, deliveryId: delivery.id },
          'a delivery ended without a record; its lease will run out',
        ),
      )
      .then(() => {
        running.delete(done);
        for (const listener of listeners) listener();
      });
    running.add(done);
  }

  async function finish(delivery: Claimed): Promise<void> {
    const { target } = delivery;
    if (target === 'removed') {
      await insistently(() => recorder.cancelled(delivery));
      metrics.finished('cancelled');
      return;
    }
    let made: Attempt;
    try {
      made = target === 'unreadable' ? unreadable : await attempt(sender, delivery, target, cut.signal);
    } catch (error) {
      if (!cut.signal.aborted) throw error;
      await recorder.release(delivery);
      return;
    }
    const { result } = made;
    metrics.attempted(result.outcome, result.totalMs);
    const recorded = await insistently(() => recorder.attempt(delivery, made));
    if (recorded.endToEndSeconds === null) {
      logger.warn(
        { deliveryId: delivery.id, outcome: result.outcome },
        'a result came after its lease had ended',
      );
      return;
    }
    if (recorded.status !== 'failed') metrics.finished(recorded.status);
    if (recorded.status === 'delivered') metrics.delivered(recorded.endToEndSeconds);
  }

  /** What was sent must be recorded, else it is sent again: a database that restarts is waited for. */
  async function insistently<T>(record: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await record();
      } catch (error) {
        if (tries === recordTries) throw error;
        await sleep(100 * 2 ** tries * (0.5 + Math.random()));
      }
    }
  }

  return {
    deliver: (ids) => start(ids.length, (room) => claims.byIds(ids.slice(0, room))),
    deliverDue: () => start(maxInFlight, (room) => claims.due(room)),
    onFinished: (fn) => void listeners.push(fn),
    inFlight: () => running.size,
    hasRoom: () => running.size + reserved < maxInFlight,
    async stop(graceMs) {
      stopping = true;
      const deadline = performance.now() + graceMs;
      while ((running.size > 0 || reserved > 0) && performance.now() < deadline) await sleep(20);
      cut.abort(new Error('the process is stopping'));
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
