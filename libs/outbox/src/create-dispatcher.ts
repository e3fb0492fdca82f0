import { createWakeableSleep, every, withTimeout, type WakeableSleep } from '@canvass/async';
import pg from 'pg';
import type { Dispatcher, DispatcherOptions } from './dispatcher';
import { freeLanes, prepareSession, statsOf, tryToLead } from './lane.sql';
import { laneOf, lanes, type Lane } from './lanes';
import { leadLane } from './lead-lane';
import { countsOf } from './metrics';

/** How often a standby checks for lanes without a leader. */
const standbyMs = 1_000;

/**
 * Publishes the outbox of a service. Any number of processes may run one: each lane has one leader, which
 * holds an advisory lock. Postgres releases the lock when its session ends, and another process takes over
 * within 2 s.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { db, broker, logger } = options;
  const stopping = new AbortController();
  const leading = new Map<Lane, { sleeper: WakeableSleep; done: Promise<void> }>();
  const standby = every(standbyMs, takeFreeLanes, {
    atOnce: true,
    onError: (error) => logger.warn({ error: messageOf(error) }, 'failed to read the outbox; trying again'),
  });
  const forget = broker.onStateChange((state) => {
    if (state === 'connected') standby.wake();
  });

  const stats = async () => (await db.query(statsOf()))[0]!;
  const counts = countsOf(options.metrics, stats, () => leading.size);

  async function takeFreeLanes(): Promise<void> {
    const candidates = lanes.filter((lane) => !leading.has(lane));
    if (candidates.length === 0 || broker.state() !== 'connected') return;
    const found = await db.query(freeLanes({ lanes: candidates }));
    for (const { lane, free } of found) if (free && !stopping.signal.aborted) await take(lane);
  }

  async function take(lane: Lane): Promise<void> {
    const name = db.pool.options.application_name;
    const client = new pg.Client({
      ...db.pool.options,
      application_name: `${name ?? 'canvass'} outbox ${lane}`,
    });
    client.on('error', () => undefined); // the next query reports it
    try {
      await client.connect();
      await prepareSession(client);
      if (!(await tryToLead(client, lane))) {
        await end(client);
        return;
      }
    } catch (error) {
      await end(client);
      throw error;
    }
    const sleeper = createWakeableSleep();
    leading.set(lane, { sleeper, done: lead(lane, client, sleeper) });
  }

  async function lead(lane: Lane, client: pg.Client, sleeper: WakeableSleep): Promise<void> {
    logger.info({ lane }, 'became leader of an outbox lane');
    try {
      await leadLane({
        lane,
        client,
        broker,
        logger,
        counts,
        sleeper,
        stopping: stopping.signal,
        batchSize: options.batchSize ?? 1_000,
        ...(options.onPublished === undefined ? {} : { onPublished: options.onPublished }),
      });
    } catch (error) {
      logger.warn({ lane, error: messageOf(error) }, 'lost lane leadership');
    } finally {
      await end(client);
      leading.delete(lane);
      logger.debug({ lane }, 'released an outbox lane');
    }
  }

  return {
    start: () => standby.start(),
    wake(entityId) {
      if (entityId === undefined) for (const { sleeper } of leading.values()) sleeper.wake();
      else leading.get(laneOf(entityId))?.sleeper.wake();
    },
    stats,
    async stop() {
      stopping.abort();
      forget();
      for (const { sleeper } of leading.values()) sleeper.wake();
      await standby.stop();
      await Promise.all([...leading.values()].map(({ done }) => done));
    },
  };
}

/**
 * Ends the session, which releases its lock and rolls back its transaction. It does not wait for an
 * unresponsive server.
 */
async function end(client: pg.Client): Promise<void> {
  await withTimeout(client.end(), 2_000).catch(() => undefined);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
