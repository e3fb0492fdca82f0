import type { Broker, Log } from '@canvass/messaging';
import type { Database } from '@canvass/postgres';
import pg from 'pg';
import type { OutboxRow } from './envelope';
import { freeLanes, prepareSession, statsOf, tryToLead } from './lane.sql';
import { laneOf, lanes, type Lane } from './lanes';
import { leadLane } from './lead-lane';
import { countsOf, type OutboxMetrics } from './metrics';
import { createNap, type Nap } from './nap';

export interface DispatcherOptions {
  /** Of the service that owns the outbox; the dispatcher opens up to four sessions of its own besides the pool. */
  db: Database;
  broker: Broker;
  logger: Log;
  metrics?: OutboxMetrics;
  /** Most events of one transaction; 1,000 unless told. */
  batchSize?: number;
  /** Told of each event once it is confirmed, in batches, before its row is deleted. Must not throw. */
  onPublished?(rows: readonly OutboxRow[]): void;
}

export interface Dispatcher {
  start(): void;
  /** Looks at the outbox at once, or at the lane of that entity only; call it after a commit that appended. */
  wake(entityId?: string): void;
  /** Finishes the batch in flight and gives its lanes to others. */
  stop(): Promise<void>;
  stats(): Promise<OutboxStats>;
}

export interface OutboxStats {
  /** Committed events that are not published yet, counted up to 100,000. */
  pending: number;
  oldestAgeSeconds: number;
  /** Events in `outbox_poison`, counted up to 10,000. */
  poisoned: number;
}

/** How often a standby looks for lanes that nobody leads. */
const standbyMs = 1_000;

/**
 * Publishes what the service's outbox holds, as long as it runs. Any number of processes may: of each lane one is in
 * charge, by an advisory lock that Postgres releases the moment its session ends, and another takes over within 2 s.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { db, broker, logger } = options;
  const stopping = new AbortController();
  const leading = new Map<Lane, { nap: Nap; done: Promise<void> }>();
  const standby = createNap();
  let supervising: Promise<void> | undefined;
  const forget = broker.onStateChange((state) => {
    if (state === 'connected') standby.wake();
  });

  const stats = async () => (await db.query<OutboxStats>(statsOf))[0]!;
  const counts = countsOf(options.metrics, stats, () => leading.size);

  async function supervise(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await takeFreeLanes();
      } catch (error) {
        logger.warn({ error: messageOf(error) }, 'the outbox cannot be reached; trying again');
      }
      await standby.sleep(standbyMs);
    }
  }

  async function takeFreeLanes(): Promise<void> {
    const candidates = lanes.filter((lane) => !leading.has(lane));
    if (candidates.length === 0 || broker.state() !== 'connected') return;
    const looked = await db.query<{ lane: Lane; free: boolean }>(freeLanes, [candidates]);
    for (const { lane, free } of looked) if (free && !stopping.signal.aborted) await take(lane);
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
    const nap = createNap();
    leading.set(lane, { nap, done: lead(lane, client, nap) });
  }

  async function lead(lane: Lane, client: pg.Client, nap: Nap): Promise<void> {
    logger.info({ lane }, 'leading an outbox lane');
    try {
      await leadLane({
        lane,
        client,
        broker,
        logger,
        counts,
        nap,
        stopping: stopping.signal,
        batchSize: options.batchSize ?? 1_000,
        ...(options.onPublished === undefined ? {} : { onPublished: options.onPublished }),
      });
    } catch (error) {
      logger.warn({ lane, error: messageOf(error) }, 'lost an outbox lane; whoever is first takes it');
    } finally {
      await end(client);
      leading.delete(lane);
      logger.debug({ lane }, 'no longer leading an outbox lane');
    }
  }

  return {
    start() {
      supervising ??= supervise();
    },
    wake(entityId) {
      if (entityId === undefined) for (const { nap } of leading.values()) nap.wake();
      else leading.get(laneOf(entityId))?.nap.wake();
    },
    stats,
    async stop() {
      stopping.abort();
      forget();
      standby.wake();
      for (const { nap } of leading.values()) nap.wake();
      await supervising;
      await Promise.all([...leading.values()].map(({ done }) => done));
    },
  };
}

/** Ends the session, and with it its lock and whatever transaction is open; a server that does not answer is left. */
async function end(client: pg.Client): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => (late = setTimeout(resolve, 2_000)));
  await Promise.race([client.end().catch(() => undefined), enough]);
  clearTimeout(late);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
