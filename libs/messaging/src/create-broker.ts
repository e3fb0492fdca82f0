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
  /** How long `publish` waits for confirms; default 15 s. */
  confirmTimeoutMs?: number;
}

/** How long a fault of the topology is reported after its repair, at most. */
const lookAgainMs = 10_000;

/**
 * Connects to RabbitMQ and reconnects without limit. Publishing has its own connection: under a memory or
 * disk alarm the broker stops reading from connections that publish, including their acks.
 */
export function createBroker(settings: BrokerSettings, options: BrokerOptions): Broker {
  const { logger, topology, name } = options;
  const listeners = new Set<(state: BrokerState) => void>();
  const consumers = new Set<FollowingConsumer>();
  const mailboxes = createMailboxes(logger);
  let refused: string[] = [];
  let closed = false;
  let publishing: ChannelModel | undefined;
  let consuming: { link: Link; model: ChannelModel | undefined } | undefined;
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

  function consumingLink() {
    if (consuming) return consuming;
    const made: { link: Link; model: ChannelModel | undefined } = {
      model: undefined,
      link: createLink({
        url: settings.Url,
        name: `${name} consuming`,
        logger,
        async setUp(model) {
          await declare(model);
          made.model = model;
          for (const consumer of consumers) consumer.attach(model);
        },
        onDown() {
          made.model = undefined;
          for (const consumer of consumers) consumer.detach();
        },
      }),
    };
    return (consuming = made);
  }

  return {
    publish: (messages) => publisher.publish(messages),
    consume(queue, { prefetch }, handler) {
      if (closed) throw new Error('The broker is closed.');
      const consumer = createConsumer({
        queue,
        prefetch,
        logger,
        handler,
        publish: async (message) => (await publisher.publish([message]))[0]!,
        redeclare: declare,
      });
      consumers.add(consumer);
      const { model } = consumingLink();
      if (model) consumer.attach(model);
      return {
        async stop() {
          await consumer.stop();
          consumers.delete(consumer);
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
      const ofConsumers = [...consumers].map((consumer) => consumer.fault());
      const noLink = consuming && !consuming.link.isUp() ? ['the consuming connection is down'] : [];
      return [...refused, ...noLink, ...ofConsumers.filter((fault) => fault !== undefined)];
    },
    async depths(names) {
      // Not the publishing connection: RabbitMQ does not read from it during an alarm.
      const model = consuming?.model ?? publishing;
      if (!model) throw new Error('Not connected to RabbitMQ.');
      return queueDepths(model, names);
    },
    async close() {
      if (closed) return;
      await Promise.all([...consumers].map((consumer) => consumer.stop()));
      await publisher.idle();
      closed = true;
      void lookingAgain.stop(); // without waiting for a broker that does not respond
      publish();
      await Promise.all([link.close(), consuming?.link.close()]);
    },
  };
}
