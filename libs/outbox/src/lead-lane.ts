import type { WakeableSleep } from '@canvass/async';
import { backOff, type Broker, type Log } from '@canvass/messaging';
import type pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { dispatchBatch } from './batch';
import { createBackedOffEntities } from './backed-off-entities';
import { hasWork } from './lane.sql';
import type { DispatcherOptions } from './dispatcher';
import type { Lane } from './lanes';
import { createScanFloor } from './scan-floor';
import type { Counts } from './metrics';

interface LeadOptions {
  lane: Lane;
  /** The session that holds the lock of the lane. If it dies, lock and transaction end together. */
  client: pg.ClientBase;
  broker: Broker;
  logger: Log;
  counts: Counts;
  sleeper: WakeableSleep;
  stopping: AbortSignal;
  batchSize: number;
  onPublished?: DispatcherOptions['onPublished'];
}

const busyPollMs = 25;
const idlePollMs = 500;
/** After this time without a broker, a leader gives up its lane to another process. */
const withoutBrokerMs = 5_000;
/** Short, because every second of waiting prolongs the outage of a broker that confirms nothing. */
const longestPauseMs = 2_000;
/** Limits how long one batch locks its rows. */
const longestBatchMs = 10_000;

/** Publishes a lane until it is stopped or the broker is away for a while. Throws if the session is lost. */
export async function leadLane(options: LeadOptions): Promise<void> {
  const { lane, client, broker, logger, counts, sleeper, stopping } = options;
  const backedOff = createBackedOffEntities();
  const scanFloor = createScanFloor();
  let failures = 0;
  let pause = idlePollMs;
  let hasMore = false;
  let woken = false;

  while (!stopping.aborted) {
    if (broker.state() !== 'connected' && !(await brokerIsBack(options))) return;
    if (stopping.aborted) return;

    await scanFloor.renew(client);
    const from = scanFloor.next();
    const excluded = backedOff.ids();
    // After a wake there is a new row. Asking first would cost a round trip for every event of a quiet lane.
    if (!hasMore && !woken && !(await hasWork(client, lane, excluded, from))) {
      if (excluded.length === 0) scanFloor.cleared(null);
      pause = Math.min(pause * 1.5, idlePollMs);
      woken = await sleeper.sleep(Math.min(pause, backedOff.nextInMs()));
      continue;
    }
    woken = false;
    const started = performance.now();
    const batch = await dispatchBatch({
      client,
      broker,
      logger,
      lane,
      limit: options.batchSize,
      excluded,
      onPublished: options.onPublished,
      from,
      mayContinue: () =>
        !stopping.aborted && broker.state() === 'connected' && performance.now() - started < longestBatchMs,
    });
    counts.published(batch.published);
    for (const { result } of batch.failures) counts.failed(result.reason);
    counts.poisoned(batch.poisoned);

    const refused = batch.failures.filter(
      ({ result }) => result.reason === 'returned' || result.reason === 'nacked',
    );
    backedOff.settle(excluded, refused);
    hasMore = batch.claimed === options.batchSize;
    scanFloor.seen(batch.lastId);
    const allGone = batch.published + batch.poisoned === batch.claimed && excluded.length === 0;
    if (allGone) scanFloor.cleared(hasMore ? batch.lastId : null);
    if (batch.failures.length > 0) {
      const { entityId, result } = batch.failures[0]!;
      logger.warn(
        { lane, failed: batch.failures.length, published: batch.published, entityId, ...result },
        'events not confirmed; they stay in the outbox',
      );
    }
    if (refused.length < batch.failures.length || backedOff.isFull()) {
      await sleep(backOff(failures, longestPauseMs), undefined, { signal: stopping }).catch(() => undefined);
      failures = Math.min(failures + 1, 16);
    } else {
      failures = 0;
      pause = busyPollMs;
      if (!hasMore) woken = await sleeper.sleep(Math.min(pause, backedOff.nextInMs()));
    }
  }
}

/** Waits without an open transaction until the broker accepts messages; false if it stays away. */
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
