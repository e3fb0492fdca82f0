import { createWakeableSleep, every, withTimeout } from '@canvass/async';
import type { Session } from '@canvass/postgres';
import type { Dispatcher, DispatcherOptions } from './dispatcher';
import { joinMembers, statsOf } from './lane.sql';
import { allLanes, laneCount, laneOf, type Lane } from './lanes';
import { lead } from './lead';
import { createLeadership, type Leadership } from './leadership';
import { countsOf } from './metrics';
import { dropPublished, keptBytesOf } from './published.sql';
import { createWakes, type Wakes } from './wakes';

/** The time after which a process tries again after it lost its session. */
const retryMs = 1_000;
/** The interval at which published events that are too old are dropped. */
const dropMs = 600_000;
const batchBytes = 8 * 1024 * 1024;
/** The time for which wake-ups that may wait are collected. A batch takes several statements at any size. */
const soonMs = 100;
/** A time shorter than for requests: while a leader waits for a lost server, its lanes are not published. */
const leaderAnswerMs = 15_000;

/**
 * Publishes the outbox of a service. Any number of processes may run one: they share its lanes. Each lane has
 * one leader, which holds an advisory lock. Postgres releases the locks when their session ends, and the
 * others take over within 2 s.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { db, broker, logger, keepHours = 0 } = options;
  const sleeper = createWakeableSleep();
  const news = new Set<Lane>();
  const newsSoon = new Set<Lane>();
  let soonTimer: NodeJS.Timeout | undefined;
  let leading: { leadership: Leadership; wakes: Wakes } | undefined;

  const stats = async () => (await db.query(statsOf()))[0]!;
  const ledShare = () => (leading?.leadership.led().length ?? 0) / laneCount;
  const keptBytes = async () => (await db.query(keptBytesOf()))[0]!.bytes;
  const counts = countsOf(options.metrics, stats, ledShare, keptBytes);

  async function leadWhilePossible(stopping: AbortSignal): Promise<void> {
    if (broker.state() !== 'connected') return;
    const client = await db.openSession('outbox', leaderAnswerMs);
    try {
      await joinMembers(client);
      const leadership = await createLeadership(client);
      const wakes = createWakes(leadership, broker.openMailbox, (lanes) => {
        for (const lane of lanes) news.add(lane);
        sleeper.wake();
      });
      leading = { leadership, wakes };
      logger.info({}, 'joined the outbox');
      await lead({
        client,
        leadership,
        news,
        sleeper,
        broker,
        logger,
        counts,
        stopping,
        batchSize: options.batchSize ?? 1_000,
        batchBytes: options.batchBytes ?? batchBytes,
        keepsPublished: keepHours > 0,
        onPublished: options.onPublished,
      });
    } finally {
      await leading?.wakes.close();
      leading = undefined;
      await end(client);
      logger.info({}, 'left the outbox');
    }
  }

  const running = every(retryMs, leadWhilePossible, {
    atOnce: true,
    onError: (error) => logger.warn({ error: messageOf(error) }, 'lost the outbox; trying again'),
  });
  const dropping = every(dropMs, () => db.query(dropPublished({ keepHours })).then(() => undefined), {
    atOnce: true,
    onError: (error) =>
      logger.warn({ error: messageOf(error) }, 'published events not dropped; trying again'),
  });
  const forget = broker.onStateChange((state) => {
    if (state === 'connected') running.wake();
    sleeper.wake();
  });

  function wakeLanes(lanes: readonly Lane[]): void {
    for (const lane of lanes) {
      if (!leading || leading.leadership.leads(lane)) news.add(lane);
      else leading.wakes.send(lane);
    }
    sleeper.wake();
  }

  function wakeSoon(lanes: readonly Lane[]): void {
    for (const lane of lanes) newsSoon.add(lane);
    soonTimer ??= setTimeout(() => {
      soonTimer = undefined;
      wakeLanes([...newsSoon]);
      newsSoon.clear();
    }, soonMs);
  }

  return {
    start() {
      running.start();
      dropping.start();
    },
    wake(entityId, when = 'now') {
      const lanes = entityId === undefined ? allLanes : [laneOf(entityId)];
      if (when === 'now') wakeLanes(lanes);
      else wakeSoon(lanes);
    },
    stats,
    async stop() {
      forget();
      clearTimeout(soonTimer);
      const stopped = running.stop();
      sleeper.wake();
      await Promise.all([stopped, dropping.stop()]);
    },
  };
}

/** Ends the session, which releases its locks. It does not wait for an unresponsive server. */
async function end(client: Session): Promise<void> {
  await withTimeout(client.end(), 2_000).catch(() => undefined);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
