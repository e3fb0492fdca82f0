import { backOff, type Broker, type Log } from '@canvass/messaging';
import type { Database } from '@canvass/postgres';
import type pg from 'pg';
import { publishBatch, type BatchResult, type LaneDeps } from './lane';
import { outboxMetrics, type MetricsSource } from './metrics';
import { lanes } from './migration';
import { pendingRows, resign, tryLead } from './outbox.sql';
import { Waker } from './waker';

export interface DispatcherOptions {
  db: Database;
  broker: Broker;
  logger: Log;
  metrics?: MetricsSource;
  /** Most rows that are on their way to the broker at once, per lane. */
  batchSize?: number;
}

export interface OutboxStats {
  /** Rows that wait, counted up to 100,000. */
  pending: number;
  oldestAgeSeconds: number;
}

export interface Dispatcher {
  start(): void;
  /** Looks at once instead of at the next poll; call it after a commit that wrote to the outbox. */
  wake(): void;
  /** Finishes the batches on their way and gives the lanes to whoever stands by. */
  stop(): Promise<void>;
  stats(): Promise<OutboxStats>;
}

const statsBound = 100_000;
/** How soon a standby notices that a leader has died. */
const standbyMs = 1_000;
const busyMs = 25;
const idleMs = 500;

/**
 * Publishes the outbox of one service. Any number of copies may run: each lane is led by one of them, by an advisory lock
 * of its session; the session also reads and deletes, so that a leader that lost its session cannot delete.
 * A broker that is down, blocked or full is waited for; no row is given up.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { db, broker, logger, batchSize = 1_000 } = options;
  const wakers = Array.from({ length: lanes }, () => new Waker());
  const stopping = new AbortController();
  let running: Promise<void> | undefined;

  const stats = async (): Promise<OutboxStats> => {
    const [row] = await db.query<{ pending: number; oldest_age_seconds: number }>(pendingRows, [statsBound]);
    return { pending: row!.pending, oldestAgeSeconds: row!.oldest_age_seconds };
  };
  const counts = outboxMetrics(options.metrics, stats);

  async function runSessions(): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; failures += 1) {
      try {
        await db.withClient(async (client) => {
          await runSession(client, () => (failures = 0));
        });
      } catch (error) {
        if (stopping.signal.aborted) return;
        logger.warn({ error }, 'the outbox dispatcher lost its database session and opens another');
        await new Waker().wait(backOff(failures), stopping.signal);
      }
    }
  }

  /** All lanes of one session; ends with `stop`, or throws as soon as the session is lost. */
  async function runSession(client: pg.PoolClient, onAlive: () => void): Promise<void> {
    const lost = new AbortController();
    const onLost = (error?: Error) => lost.abort(error ?? new Error('The connection was closed.'));
    client.on('error', onLost);
    client.on('end', onLost);
    const ending = AbortSignal.any([stopping.signal, lost.signal]);
    const deps: LaneDeps = { client, broker, log: logger, batchSize, ...counts };
    try {
      await Promise.all(
        wakers.map(async (waker, lane) => {
          try {
            await runLane(lane, waker, deps, ending, onAlive);
          } catch (error) {
            onLost(error as Error); // the other lanes share the session: all of them start anew
            throw error;
          }
        }),
      );
      lost.signal.throwIfAborted();
      await client.query(resign);
    } finally {
      client.off('error', onLost);
      client.off('end', onLost);
    }
  }

  async function runLane(
    lane: number,
    waker: Waker,
    deps: LaneDeps,
    ending: AbortSignal,
    onAlive: () => void,
  ): Promise<void> {
    while (!(await leads(deps.client, lane))) {
      onAlive();
      await waker.wait(standbyMs, ending);
      if (ending.aborted) return;
    }
    onAlive();
    for (let failures = 0; !ending.aborted;) {
      await broker.whenConnected(ending).catch(() => undefined);
      if (ending.aborted) return;
      const result = await publishBatch(lane, deps);
      failures = result === 'failed' ? failures + 1 : 0;
      if (result === 'more') continue;
      // After a failure a wake-up must not turn waiting into a busy loop.
      const pause = result === 'failed' ? new Waker() : waker;
      await pause.wait(pauseAfter(result, failures), ending);
    }
  }

  return {
    start() {
      running ??= runSessions();
    },
    wake() {
      for (const waker of wakers) waker.wake();
    },
    async stop() {
      stopping.abort();
      await running;
    },
    stats,
  };
}

async function leads(client: LaneDeps['client'], lane: number): Promise<boolean> {
  const { rows } = await client.query<{ leads: boolean }>(tryLead, [lane]);
  return rows[0]!.leads;
}

function pauseAfter(result: BatchResult, failures: number): number {
  if (result === 'failed') return backOff(failures - 1);
  return result === 'some' ? busyMs : idleMs;
}
