import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@canvass/service-kit';
import { groupCommit } from '../group-commit';
import { attempt, unreadable } from './attempt';
import type { AttemptLog } from './attempt-log';
import type { Claimed, Claims } from './claim';
import type { DeliveryMetrics } from './delivery-metrics';
import type { HealthNotes } from './note-health';
import type { Attempt, Recorder } from './record';
import type { Sender } from './sender';
import type { Turns } from './turns';

/**
 * Claims, sends and records; the same code for deliveries of this process's own events, of jobs, and due
 * retries.
 */
export interface Deliverer {
  /**
   * Starts those of `ids` that may start now and gives their number; the others stay where they are, in
   * Postgres.
   */
  deliver(ids: readonly string[]): Promise<number>;
  /**
   * Starts what `claim` claims, of which there may be as many as it is told: none while this process is full
   * or stopping.
   */
  deliverNew(claim: (room: number) => Promise<Claimed[]>): Promise<void>;
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
  turns: Turns;
  recorder: Recorder;
  health: HealthNotes;
  metrics: DeliveryMetrics;
  attemptLog: AttemptLog;
  logger: Logger;
  /** Most deliveries in flight in this process. */
  maxInFlight: number;
}

const recordTries = 5;

export function createDeliverer(deps: DelivererDeps): Deliverer {
  const { claims, sender, turns, recorder, health, metrics, attemptLog, logger, maxInFlight } = deps;
  const running = new Set<Promise<void>>();
  const listeners: (() => void)[] = [];
  const cut = new AbortController();
  setMaxListeners(0, cut.signal);
  let stopping = false;
  /** Of the running ones those that wait for their turn: they take no room from others. */
  let waiting = 0;
  const room = () => Math.max(0, maxInFlight - (running.size - waiting));
  let lastClaim: Promise<unknown> = Promise.resolve();

  /**
   * One claim at a time: two of one process would compete for the slots of an endpoint and overfill the
   * process.
   */
  function start(claim: (most: number) => Promise<Claimed[]>): Promise<Claimed[]> {
    const started = lastClaim.then(async () => {
      const claimed = await claim(stopping ? 0 : room());
      for (const delivery of claimed) run(delivery);
      return claimed;
    });
    lastClaim = started.catch(() => undefined);
    return started;
  }

  /** Whether it was started, for each id. */
  const deliverOne = groupCommit<string, boolean>(maxInFlight, async (take) => {
    let ids: readonly string[] = [];
    const claimed = await start(async (most) => {
      ids = take();
      return most > 0 ? claims.byIds(ids.slice(0, most)) : [];
    });
    const started = new Set(claimed.map(({ id }) => id));
    return ids.map((id) => started.has(id));
  });

  function run(delivery: Claimed): void {
    const done = finish(delivery)
      .catch((error: unknown) =>
        logger.error(
          { error, deliveryId: delivery.id },
          'failed to record the result of an attempt; its lease will expire',
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
      if (!(await hasTurn(delivery))) return await recorder.release(delivery);
      made = target === 'unreadable' ? unreadable : await attempt(sender, delivery, target, cut.signal);
    } catch (error) {
      if (!cut.signal.aborted) throw error;
      await recorder.release(delivery);
      return;
    }
    const { result } = made;
    metrics.attempted(result.outcome, result.totalMs);
    await health.note(delivery, made);
    const recorded = await insistently(() => recorder.attempt(delivery, made));
    attemptLog(delivery, made, recorded.endToEndSeconds === null ? 'late' : recorded.status);
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

  /** Waits for the turn of a delivery that has one; false when it is over, so that it has to take another. */
  async function hasTurn({ sendAt }: Claimed): Promise<boolean> {
    if (sendAt === null) return true;
    waiting += 1;
    try {
      const turn = await turns.wait(sendAt, cut.signal);
      if (turn !== 'now') metrics.throttled(turn);
      return turn !== 'missed';
    } finally {
      waiting -= 1;
    }
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
    deliver: async (ids) => (await Promise.all(ids.map(deliverOne))).filter((started) => started).length,
    deliverNew: async (claim) => void (await start(claim)),
    deliverDue: async () => (await start(async (most) => (most > 0 ? claims.due(most) : []))).length,
    onFinished: (fn) => void listeners.push(fn),
    inFlight: () => running.size - waiting,
    hasRoom: () => room() > 0,
    async stop(graceMs) {
      stopping = true;
      const deadline = performance.now() + graceMs;
      await lastClaim;
      while (running.size > 0 && performance.now() < deadline) await sleep(20);
      cut.abort(new Error('the process is stopping'));
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
