import { retry } from '@canvass/async';
import { queues } from '@canvass/contracts';
import type { Broker, Consumer, IncomingMessage, Outcome } from '@canvass/messaging';
import { groupCommit, sqlState, type Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import { eventIn, type EventHead } from '../pipeline';
import { addLiveEvents } from './live-events.sql';
import { topicOf, type Topic } from './topics';

const prefetch = 500;
const retryMs = 1_000;
/** Events of this time are written with one statement. Streams read what is new twice a second. */
const collectMs = 50;
/**
 * The same for events that cause webhooks. Each holds a place in the prefetch of its queue until it is
 * stored. So the group is written after a short time, or as soon as half of that prefetch waits.
 */
const shortly = { items: 32, waitMs: 20 };

type TopicEvent = EventHead & { topic: Topic };

export interface LiveIntake {
  /** Handles an event as `handler` does, and then stores it, unless it is retried. */
  alsoFrom(
    handler: (message: IncomingMessage) => Promise<Outcome>,
  ): (message: IncomingMessage) => Promise<Outcome>;
  /** Consumes the queue of the events that the relay needs for nothing else. */
  consume(broker: Pick<Broker, 'consume'>): Consumer;
}

/**
 * Stores what clients are notified of. All relays consume the queues together, so each event is stored once,
 * or again after a failure. An event that does not fit is dropped: clients only learn of it later.
 */
export function createLiveIntake({
  db,
  logger,
  signal,
}: {
  db: Database;
  logger: Logger;
  signal: AbortSignal;
}): LiveIntake {
  async function write(events: readonly TopicEvent[]): Promise<void[]> {
    await db.query(
      addLiveEvents({
        tenantIds: events.map(({ tenantId }) => tenantId),
        topics: events.map(({ topic }) => topic),
        types: events.map(({ type }) => type),
        entityIds: events.map(({ entityId }) => entityId),
        formIds: events.map(({ formId }) => formId),
        revisions: events.map(({ revision }) => revision),
        occurredAt: events.map(({ occurredAt }) => occurredAt),
      }),
    );
    return events.map(() => undefined);
  }
  const addShortly = groupCommit(shortly, write);
  const addSoon = groupCommit({ items: prefetch, waitMs: collectMs }, write);

  async function store({ body, messageId }: IncomingMessage, add: typeof addSoon): Promise<void> {
    const event = eventIn(body);
    const topic = typeof event === 'string' ? undefined : topicOf(event.head.type);
    if (typeof event === 'string' || topic === undefined) return;
    try {
      await add({ topic, ...event.head });
    } catch (error) {
      if (!isDataFault(error)) throw error;
      logger.error({ messageId, error }, 'an event does not fit into the live events');
    }
  }

  return {
    alsoFrom: (handler) => async (message) => {
      const outcome = await handler(message);
      if (outcome === 'ack') await store(message, addShortly);
      return outcome;
    },
    consume: (broker) =>
      broker.consume(queues.live, { prefetch }, async (message) => {
        // A retry here, not in a queue: while Postgres does not respond, the events wait where they are.
        await retry(() => store(message, addSoon), { delay: retryMs, signal });
        return 'ack';
      }),
  };
}

/** Class 22, data exception: the same values will never fit. */
const isDataFault = (error: unknown): boolean => sqlState(error)?.startsWith('22') === true;
