import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { retry } from '@canvass/async';
import type { Database } from '@canvass/postgres';
import type { Logger, Tracing } from '@canvass/service-kit';
import { attempt, unreadable } from './attempt';
import { logAttempt } from './attempt-log';
import { releaseLease } from './claim.sql';
import type { DeliveryMetrics } from './delivery-metrics';
import type { Claimed, Leases } from './leases';
import type { MessageBodies } from './message-bodies';
import type { HealthNotes } from './endpoint-health';
import type { Attempt, Recorder } from './record';
import type { Sender } from './sender';
import type { SendSlots } from './send-slots';

/** Sends leased deliveries and records what came of them. */
export type Deliverer = ReturnType<typeof createDeliverer>;

export interface DelivererDeps {
  db: Database;
  leases: Leases;
  bodies: MessageBodies;
  sender: Sender;
  slots: SendSlots;
  recorder: Recorder;
  health: HealthNotes;
  metrics: DeliveryMetrics;
  logger: Logger;
  tracing: Tracing;
  /** Longest time of an attempt: nothing is sent if less of its lease is left. */
  timeoutMs: number;
}

/** A result that is not recorded leads to another attempt, so this waits for a database that restarts. */
const untilRecorded = {
  times: 5,
  delay: (failures: number) => 100 * 2 ** failures * (0.5 + Math.random()),
};

export function createDeliverer(deps: DelivererDeps) {
  const { db, leases, bodies, sender, slots, recorder, health, metrics, logger, timeoutMs } = deps;
  const running = new Set<Promise<void>>();
  const listeners: ((delivery: Claimed) => void)[] = [];
  const cut = new AbortController();
  setMaxListeners(0, cut.signal);

  function run(delivery: Claimed): void {
    const done = finish(delivery)
      .catch((error: unknown) =>
        logger.error(
          { error, deliveryId: delivery.id },
          'failed to record the result of an attempt; its lease will expire',
        ),
      )
      .then(() => {
        leases.end(delivery);
        running.delete(done);
        for (const listener of listeners) listener(delivery);
      });
    running.add(done);
  }

  async function finish(delivery: Claimed): Promise<void> {
    const made = await send(delivery).catch((error: unknown) => {
      if (cut.signal.aborted) return 'untried' as const;
      throw error;
    });
    if (made === 'untried') return release(delivery);
    if (made === 'nothing to send') return cancel(delivery);
    const { result } = made;
    metrics.attempted(result.outcome, result.totalMs);
    await health.note(delivery, made);
    const recorded = await retry(() => recorder.attempt(delivery, made), untilRecorded);
    logAttempt(deps, delivery, made, recorded.endToEndSeconds === null ? 'late' : recorded.status);
    if (recorded.endToEndSeconds === null) {
      logger.warn(
        { deliveryId: delivery.id, outcome: result.outcome },
        'result ignored because its lease had expired',
      );
      return;
    }
    if (recorded.status !== 'failed') metrics.finished(recorded.status);
    if (recorded.status === 'delivered') metrics.delivered(recorded.endToEndSeconds);
  }

  /** One attempt. `untried`: its send slot or too much of its lease is over. */
  async function send(delivery: Claimed): Promise<Attempt | 'untried' | 'nothing to send'> {
    const { target } = delivery;
    if (target === 'removed') return 'nothing to send';
    if (!(await hasSlot(delivery))) return 'untried';
    if (target === 'unreadable') return unreadable;
    const { body, release: releaseBody } = await bodies.load(delivery);
    try {
      if (body === null) return 'nothing to send';
      if (performance.now() + timeoutMs > delivery.leaseEndsAt) return 'untried';
      return await attempt(sender, delivery, { target, stored: body }, cut.signal);
    } finally {
      releaseBody();
    }
  }

  async function cancel(delivery: Claimed): Promise<void> {
    await retry(() => recorder.cancelled(delivery), untilRecorded);
    metrics.finished('cancelled');
  }

  /** Given back without an attempt, for any process to claim. */
  async function release({ tenantId, endpointId, id, lease }: Claimed): Promise<void> {
    await db.query(releaseLease({ tenantId, endpointId, id, lease }));
  }

  /** Waits for the send slot of a delivery that has one; false if it is over. */
  async function hasSlot(delivery: Claimed): Promise<boolean> {
    if (delivery.sendAt === null) return true;
    leases.setWaitingForSlot(delivery, true);
    try {
      const slot = await slots.wait(delivery.sendAt, cut.signal);
      if (slot !== 'now') metrics.throttled(slot);
      return slot !== 'missed';
    } finally {
      leases.setWaitingForSlot(delivery, false);
    }
  }

  return {
    /** Starts each of them; they run side by side. */
    start: (deliveries: readonly Claimed[]): void => deliveries.forEach(run),
    /** `fn` is called after each delivery that has ended. */
    onFinished: (fn: (delivery: Claimed) => void) => void listeners.push(fn),
    /** Leases nothing more, waits for what is in flight, and releases what is not done after `graceMs`. */
    async stop(graceMs: number): Promise<void> {
      const deadline = performance.now() + graceMs;
      await leases.close();
      while (running.size > 0 && performance.now() < deadline) await sleep(20);
      cut.abort(new Error('the process is stopping'));
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
