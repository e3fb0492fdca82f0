import { backOff, type Broker, type Log } from '@canvass/messaging';
import type pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { dispatchBatch } from './batch';
import { createHeldEntities } from './held-entities';
import { hasWork } from './lane.sql';
import type { DispatcherOptions } from './create-dispatcher';
import type { Lane } from './lanes';
import { createLookFrom } from './look-from';
import type { Counts } from './metrics';
import type { Nap } from './nap';

interface LeadOptions {
  lane: Lane;
  /** The session that holds the lane's lock: if it dies, lock and transaction die together. */
  client: pg.ClientBase;
  broker: Broker;
  logger: Log;
  counts: Counts;
  nap: Nap;
  stopping: AbortSignal;
  batchSize: number;
  onPublished?: DispatcherOptions['onPublished'];
}

const busyPollMs = 25;
const idlePollMs = 500;
/** A process without a broker lets another one lead. */
const withoutBrokerMs = 5_000;
/** A broker that confirms nothing is tried again at least this often: every second more is added to its outage. */
const longestPauseMs = 2_000;
/** One batch holds its rows locked for not much longer. */
const longestBatchMs = 10_000;

/** Publishes a lane until stopped, or until the broker has been away for a while; throws when the session is lost. */
export async function leadLane(options: LeadOptions): Promise<void> {
  const { lane, client, broker, logger, counts, nap, stopping } = options;
  const held = createHeldEntities();
  const lookFrom = createLookFrom();
  let failures = 0;
  let pause = idlePollMs;
  let behindIsMore = false;
  let woken = false;

  while (!stopping.aborted) {
    if (broker.state() !== 'connected' && !(await brokerIsBack(options))) return;
    if (stopping.aborted) return;

    await lookFrom.renew(client);
    const from = lookFrom.next();
    const leftOut = held.ids();
    // Whoever wakes has appended: to ask first would be a round trip for every event of a quiet lane.
    if (!behindIsMore && !woken && !(await hasWork(client, lane, leftOut, from))) {
      if (leftOut.length === 0) lookFrom.cleared(null);
      pause = Math.min(pause * 1.5, idlePollMs);
      woken = await nap.sleep(Math.min(pause, held.nextInMs()));
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
      held: leftOut,
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
    held.settle(leftOut, refused);
    behindIsMore = batch.claimed === options.batchSize;
    lookFrom.seen(batch.lastId);
    const allGone = batch.published + batch.poisoned === batch.claimed && leftOut.length === 0;
    if (allGone) lookFrom.cleared(behindIsMore ? batch.lastId : null);
    if (batch.failures.length > 0) {
      const { entityId, result } = batch.failures[0]!;
      logger.warn(
        { lane, failed: batch.failures.length, published: batch.published, entityId, ...result },
        'events were not confirmed; they stay in the outbox',
      );
    }
    if (refused.length < batch.failures.length || held.isFull()) {
      await sleep(backOff(failures, longestPauseMs), undefined, { signal: stopping }).catch(() => undefined);
      failures = Math.min(failures + 1, 16);
    } else {
      failures = 0;
      pause = busyPollMs;
      if (!behindIsMore) woken = await nap.sleep(Math.min(pause, held.nextInMs()));
    }
  }
}

/** Waits, with no transaction open, for a broker that takes messages; false when it stays away. */
async function brokerIsBack({ broker, client, stopping }: LeadOptions): Promise<boolean> {
  for (;;) {
    const slice = AbortSignal.any([stopping, AbortSignal.timeout(withoutBrokerMs)]);
    const back = await broker.whenConnected(slice).then(
      () => true,
      () => false,
    );
    if (back || stopping.aborted) return true;
    // An alarm is everybody's; a lost connection may be ours alone.
    if (broker.state() !== 'blocked') return false;
    await client.query('select 1'); // a sign of life, and of the session's
  }
}
