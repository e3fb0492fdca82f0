import type { WakeableSleep } from '@canvass/async';
import { backOff, type Broker, type Log } from '@canvass/messaging';
import type pg from 'pg';
import type { BatchResult } from './batch';
import { createBatchesInFlight } from './batches-in-flight';
import { createBackedOffEntities } from './backed-off-entities';
import { createClaimedEvents } from './claimed-events';
import type { OutboxRow } from './envelope';
import { claimRows, poisonRow, removeRows } from './lane.sql';
import type { DispatcherOptions } from './dispatcher';
import type { Lane } from './lanes';
import type { Leadership } from './leadership';
import { createScanFloors } from './scan-floor';
import type { Counts } from './metrics';

interface LeadOptions {
  /** The session that holds the locks of the lanes. If it dies, they end with it. */
  client: pg.ClientBase;
  leadership: Leadership;
  /** Lanes with new events; others add to it and wake the sleeper. */
  news: Set<Lane>;
  sleeper: WakeableSleep;
  broker: Broker;
  logger: Log;
  counts: Counts;
  stopping: AbortSignal;
  batchSize: number;
  batchBytes: number;
  /** Returns whether published events move to `outbox_published`. */
  keepsPublished: boolean;
  onPublished: DispatcherOptions['onPublished'];
}

/** All lanes are scanned at this interval. It finds events of which no wake-up came. */
const pollMs = 500;
const balanceMs = 1_000;
/** The time without a broker after which a leader gives up its lanes to another process. */
const withoutBrokerMs = 5_000;
/** Short, because every second of waiting prolongs the outage of a broker that confirms nothing. */
const maxPauseMs = 2_000;
/** The limit in units of the bytes of a batch. The next one is claimed when it fits. */
const maxBytesInFlight = 4;

/**
 * Publishes the lanes of a session until it is stopped or the broker is away for a while. Batches overlap:
 * the next one is claimed and sent while the last ones wait for their confirms. Entities in flight are
 * skipped, so no event overtakes an earlier one of its entity.
 *
 * All SQL of the session is in this one loop. No transaction stays open: the lock of a lane excludes other
 * leaders. Should a lane have two leaders for a moment, each sends an event only after the previous one of
 * its entity is confirmed, and deletes only what is confirmed, so events can only be repeated.
 *
 * @throws if the session is lost
 */
export async function lead(options: LeadOptions): Promise<void> {
  const { client, leadership, news, sleeper, broker, logger, counts, stopping } = options;
  const backedOff = createBackedOffEntities();
  const floors = createScanFloors();
  const claimed = createClaimedEvents();
  const batches = createBatchesInFlight(options);
  let [balancedAt, polledAt, pausedUntil] = [-Infinity, -Infinity, -Infinity];
  let failures = 0;

  async function balance(): Promise<void> {
    const busy = claimed.firstIds();
    for (const lane of await leadership.balance((each) => busy.has(each))) {
      floors.forget(lane);
      news.add(lane);
    }
    await floors.renew(client);
  }

  async function claim(lanes: readonly Lane[]): Promise<OutboxRow[]> {
    const rejected = backedOff.ids();
    const perLane = Math.ceil(options.batchSize / lanes.length);
    const { found, isCut } = await claimRows(client, {
      perLane,
      bytes: options.batchBytes,
      excluded: [...claimed.entityIds(), ...rejected],
      ...floors.start(lanes),
    });
    claimed.add(lanes, found);
    const last = found.at(-1);
    if (last) floors.seen(last.id);
    const unfinished = claimed.firstIds();
    for (const lane of lanes) {
      const ofLane = found.filter((row) => row.lane === lane);
      const isFull = ofLane.length >= perLane;
      if (isFull || isCut) news.add(lane);
      const end = isFull ? ofLane.at(-1) : isCut ? last : undefined;
      if (rejected.length === 0)
        floors.scanned(lane, end ? BigInt(end.id) : null, unfinished.get(lane) ?? null);
    }
    return found;
  }

  /** Deletes what is confirmed, and releases the entities of finished batches. */
  async function settle(): Promise<void> {
    const results = batches.takeFinished();
    if (results.length === 0) return;
    await removeRows(
      client,
      results.flatMap(({ confirmed }) => confirmed),
      options.keepsPublished,
    );
    for (const result of results) {
      for (const { row, reason } of result.poisonous) {
        await poisonRow(client, row, reason);
        const { lane, eventId, eventType, entityId } = row;
        logger.error(
          { lane, eventId, eventType, entityId, reason },
          'unpublishable event moved to outbox_poison',
        );
      }
      counts.published(result.confirmed.length);
      counts.poisoned(result.poisonous.length);
      const handled = result.confirmed.length + result.poisonous.length;
      for (const lane of claimed.release(result.rows, handled === result.rows.length)) news.add(lane);
      settleFailures(result);
    }
  }

  const isFull = (): boolean => claimed.bytes() > (maxBytesInFlight - 1) * options.batchBytes;

  function settleFailures({ failures: failed, rows, confirmed }: BatchResult): void {
    let isGeneral = false;
    const stuck = new Set(failed.map(({ row }) => row.entityId));
    for (const { entityId } of rows) if (!stuck.has(entityId)) backedOff.published(entityId);
    for (const { row, result, progressed } of failed) {
      counts.failed(result.reason);
      const isOwn = result.reason === 'returned' || result.reason === 'nacked';
      if (isOwn) backedOff.rejected(row.entityId, row.lane, progressed);
      else isGeneral = true;
    }
    const [first] = failed;
    if (first)
      logger.warn(
        {
          lane: first.row.lane,
          failed: failed.length,
          published: confirmed.length,
          entityId: first.row.entityId,
          ...first.result,
        },
        'events not confirmed; they stay in the outbox',
      );
    if (isGeneral || backedOff.isFull()) {
      pausedUntil = performance.now() + backOff(failures, maxPauseMs);
      failures = Math.min(failures + 1, 16);
    } else failures = 0;
  }

  async function run(): Promise<void> {
    while (!stopping.aborted) {
      if (broker.state() !== 'connected' && !(await brokerIsBack(options))) return;
      if (isFull() || batches.mustSettle()) await settle();
      const now = performance.now();
      if (now - balancedAt >= balanceMs) {
        balancedAt = now;
        await balance();
      }
      for (const lane of backedOff.takeDueLanes()) news.add(lane);
      const isPolling = now - polledAt >= pollMs;
      const lanes = isPolling ? leadership.led() : [...news].filter(leadership.leads);
      const hasRoom = batches.hasRoom() && !isFull();
      if (hasRoom && now >= pausedUntil && !stopping.aborted) {
        news.clear();
        if (isPolling) polledAt = now;
        if (lanes.length > 0) {
          const rows = await claim(lanes);
          if (rows.length > 0) batches.send(rows);
          continue;
        }
      }
      // The end of a batch wakes the sleeper, too.
      const pollAt = lanes.length > 0 ? pausedUntil : Math.max(polledAt + pollMs, pausedUntil);
      const at = Math.min(balancedAt + balanceMs, hasRoom ? pollAt : Infinity, batches.settleAt());
      await sleeper.sleep(Math.min(at - performance.now(), backedOff.nextInMs()));
    }
  }

  try {
    await run();
  } finally {
    await batches.end();
  }
  await settle();
}

/** Waits without a transaction until the broker accepts messages; false if it stays away. */
async function brokerIsBack({ broker, client, stopping }: LeadOptions): Promise<boolean> {
  for (;;) {
    const slice = AbortSignal.any([stopping, AbortSignal.timeout(withoutBrokerMs)]);
    const back = await broker.whenConnected(slice).then(
      () => true,
      () => false,
    );
    if (back || stopping.aborted) return true;
    // An alarm affects all processes; a lost connection may affect only this one.
    if (broker.state() !== 'blocked') return false;
    await client.query('select 1'); // keeps the session alive and detects its loss
  }
}
