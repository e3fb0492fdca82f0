import { every, withTimeout } from '@canvass/async';
import type { ChannelModel } from 'amqplib';
import type { Topology } from '@canvass/contracts';
import type { Broker, BrokerState, Log } from './broker';
import { createConsumer, type FollowingConsumer } from './consumer';
import { createLink, messageOf, type Link } from './link';
import { createMailboxes } from './mailboxes';
import { createPublisher } from './publisher';
import { queueDepths } from './queue-depths';
import type { BrokerSettings } from './settings';
import { declareTopology } from './topology';

export interface BrokerOptions {
  /** Name of the process in RabbitMQ's list of connections. */
  name: string;
  /** Declared on every connect, so that any process may start first. */
  topology: Topology;
  logger: Log;
  /** The time that `publish` waits for confirms; default 15 s. */
  confirmTimeoutMs?: number;
  /** The time that a consumer holds a message whose handler throws; default 30 s. */
  holdMs?: number;
}

/** The time that a fault of the topology is reported after its repair, at most. */
const lookAgainMs = 10_000;

/** A consumer with its connection. */
interface Consuming {
  consumer: FollowingConsumer;
  link: Link;
  model: ChannelModel | undefined;
}

/**
 * Connects to RabbitMQ and reconnects without limit. Publishing has its own connection: under a memory or
 * disk alarm the broker stops reading from connections that publish, including their acks. Each consumer has
 * its own, too: RabbitMQ closes the connection that consumes a damaged queue, and messages of other queues
 * that are delivered again and again would reach their delivery limit.
 */
export function createBroker(settings: BrokerSettings, options: BrokerOptions): Broker {
  const { logger, topology, name } = options;
  const listeners = new Set<(state: BrokerState) => void>();
  const consuming = new Set<Consuming>();
  const mailboxes = createMailboxes(logger);
  let refused: string[] = [];
  let closed = false;
  let publishing: ChannelModel | undefined;
  let lastState: BrokerState = 'connecting';

  const publisher = createPublisher({
    logger,
    confirmTimeoutMs: options.confirmTimeoutMs ?? 15_000,
    onChannelLost(reason) {
      publish();
      // The channels of a lost connection close before the connection does, so check again afterwards.
      setImmediate(() => void reopen(reason));
    },
  });

  const link = createLink({
    url: settings.Url,
    name: `${name} publishing`,
    logger,
    async setUp(model) {
      await declare(model);
      await publisher.open(model);
      mailboxes.attach(model);
      publishing = model;
      publish();
    },
    onDown() {
      publishing = undefined;
      publisher.lost();
      mailboxes.detach();
      publish();
    },
    onBlocked(blocked) {
      publisher.setBlocked(blocked);
      publish();
    },
  });

  async function declare(model: ChannelModel): Promise<void> {
    refused = await declareTopology(model, topology, logger);
  }

  const lookingAgain = every(
    lookAgainMs,
    async () => {
      if (refused.length > 0 && publishing) await declare(publishing);
    },
    { onError: () => undefined }, // the connection is lost
  );
  lookingAgain.start();

  async function reopen(reason: string): Promise<void> {
    const model = publishing;
    if (!model) return;
    logger.warn({ reason }, 'publishing channel closed; opening another');
    const open = async () => {
      await declare(model);
      await publisher.open(model);
      publish();
    };
    await withTimeout(open, 10_000, 'no new channel').catch((error: unknown) => {
      if (publishing === model) link.renew(messageOf(error));
    });
  }

  function state(): BrokerState {
    if (closed) return 'closed';
    if (!publisher.isOpen()) return 'connecting';
    return publisher.isBlocked() ? 'blocked' : 'connected';
  }

  function publish(): void {
    const now = state();
    if (now === lastState) return;
    lastState = now;
    for (const listener of [...listeners]) listener(now);
  }

  return {
    publish: (messages) => publisher.publish(messages),
    consume(queue, { prefetch }, handler) {
      if (closed) throw new Error('The broker is closed.');
      const consumer = createConsumer({
        queue,
        prefetch,
        logger,
        holdMs: options.holdMs ?? 30_000,
        handler,
        publish: async (message) => (await publisher.publish([message]))[0]!,
        redeclare: declare,
      });
      const made: Consuming = {
        consumer,
        model: undefined,
        link: createLink({
          url: settings.Url,
          name: `${name} consuming ${queue}`,
          logger,
          async setUp(model) {
            await declare(model);
            made.model = model;
            consumer.attach(model);
          },
          onDown() {
            made.model = undefined;
            consumer.detach();
          },
        }),
      };
      consuming.add(made);
      return {
        async stop() {
          await consumer.stop();
          await made.link.close();
          consuming.delete(made);
        },
      };
    },
    openMailbox: (mailbox, onMessage) => mailboxes.open(mailbox, onMessage),
    state,
    whenConnected(signal) {
      return new Promise((resolve, reject) => {
        const check = () => {
          const now = state();
          if (now === 'connected') finish(resolve);
          else if (now === 'closed') finish(() => reject(new Error('The broker is closed.')));
        };
        const abort = () => finish(() => reject(signal?.reason));
        function finish(end: () => void) {
          listeners.delete(check);
          signal?.removeEventListener('abort', abort);
          end();
        }
        listeners.add(check);
        if (signal?.aborted) abort();
        else {
          signal?.addEventListener('abort', abort);
          check();
        }
      });
    },
    onStateChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    faults() {
      const ofConsumers = [...consuming].map(({ consumer, link: { isUp } }) =>
        isUp() ? consumer.fault() : 'a consuming connection is down',
      );
      return [...new Set([...refused, ...ofConsumers.filter((fault) => fault !== undefined)])];
    },
    async depths(names) {
      // Not the publishing connection: RabbitMQ does not read from it during an alarm.
      const model = [...consuming].find((each) => each.model)?.model ?? publishing;
      if (!model) throw new Error('Not connected to RabbitMQ.');
      return queueDepths(model, names);
    },
    async close() {
      if (closed) return;
      await Promise.all([...consuming].map(({ consumer }) => consumer.stop()));
      await publisher.idle();
      closed = true;
      void lookingAgain.stop(); // without waiting for a broker that does not respond
      publish();
      await Promise.all([link.close(), ...[...consuming].map((each) => each.link.close())]);
    },
  };
}
