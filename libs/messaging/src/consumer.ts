import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import { retry } from '@canvass/async';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAcks, type Acks } from './acks';
import { backOff } from './back-off';
import type { Consumer, IncomingMessage, Log, Outcome, OutgoingMessage, PublishResult } from './broker';
import { incomingOf, retryCopyOf } from './incoming';
import { messageOf } from './link';

interface ConsumerOptions {
  queue: string;
  prefetch: number;
  logger: Log;
  /** A message whose handler throws is held for this time before it waits in a retry queue. */
  holdMs: number;
  handler(message: IncomingMessage): Promise<Outcome>;
  publish(message: OutgoingMessage): Promise<PublishResult>;
  /** Declares the topology again, because the queue may be missing. */
  redeclare(model: ChannelModel): Promise<void>;
}

/** A consumer that survives reconnects. */
export interface FollowingConsumer extends Consumer {
  attach(model: ChannelModel): void;
  detach(): void;
  /** The reason why it does not consume at the moment, or undefined. */
  fault(): string | undefined;
}

/** Longest wait between two calls of the handler for a message that is held. */
const maxHoldMs = 2_000;
const retryAfterHoldMs = 5_000;
/** Longest wait before consuming again from a queue that is missing or without a leader. */
const maxWaitMs = 2_000;

/** State of one channel. Old channels are dead after a reconnect, so their state is kept together. */
interface Life {
  channel: Channel;
  acks: Acks;
  inFlight: Set<Promise<void>>;
  consumerTag?: string;
  open: boolean;
}

export function createConsumer(options: ConsumerOptions): FollowingConsumer {
  const { queue, logger } = options;
  let model: ChannelModel | undefined;
  let life: Life | undefined;
  let fault: string | undefined;
  const stopping = new AbortController();
  const inFlight = new Set<Promise<void>>();

  /** Consumes on a new channel and resolves with the reason when that ends. */
  async function live(on: ChannelModel): Promise<string> {
    const channel = await on.createChannel();
    const acks = createAcks(channel, (error) =>
      logger.debug(
        { queue, open: mine.open, error: messageOf(error) },
        'message not settled; it will be redelivered',
      ),
    );
    const mine: Life = { channel, acks, inFlight: new Set(), open: true };
    let reason = 'the channel closed';
    const ended = new Promise<string>((resolve) => {
      channel.on('error', (error) => (reason = error.message));
      channel.on('close', () => {
        mine.open = false;
        resolve(reason);
      });
      channel.on('cancel', () => resolve('the broker cancelled the consumer because the queue was deleted'));
    });
    channel.on('handler-error', (error) => logger.error({ queue, error: error.message }, 'listener failed'));
    await channel.prefetch(options.prefetch);
    const { consumerTag } = await channel.consume(queue, (message) => {
      if (!message || stopping.signal.aborted) return; // unsettled messages are redelivered
      acks.received(message);
      const handling = handle(mine, message).finally(() => {
        mine.inFlight.delete(handling);
        inFlight.delete(handling);
      });
      mine.inFlight.add(handling);
      inFlight.add(handling);
    });
    // It was stopped meanwhile: with the channel open, RabbitMQ would wait for acks that never come.
    if (stopping.signal.aborted) {
      await closeChannel(mine);
      return 'stopped';
    }
    mine.consumerTag = consumerTag;
    life = mine;
    fault = undefined;
    const why = await ended;
    life = undefined;
    void Promise.allSettled([...mine.inFlight]).then(() => closeChannel(mine));
    return why;
  }

  async function keepAlive(on: ChannelModel): Promise<void> {
    for (let failures = 0; model === on && !stopping.signal.aborted; failures += 1) {
      const started = performance.now();
      const why = await live(on).catch(messageOf);
      if (model !== on || stopping.signal.aborted) return;
      if (performance.now() - started > 30_000) failures = 0;
      fault = `${queue} is not consumed: ${why}`;
      const waitMs = Math.round(backOff(failures, maxWaitMs));
      logger.warn({ queue, reason: why, waitMs }, 'consumer stopped; restarting');
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (model === on) await options.redeclare(on).catch(() => undefined); // the next attempt reports it
    }
  }

  async function handle(mine: Life, message: ConsumeMessage): Promise<void> {
    const incoming = incomingOf(message);
    const outcome = await decide(mine, incoming);
    if (outcome === 'ack') mine.acks.ack(message);
    else if (outcome === 'dead') mine.acks.reject(message);
    else if (await copied(mine, retryCopyOf(queue, message, incoming, outcome))) mine.acks.ack(message);
  }

  /**
   * If the handler throws, it is called again while the message is held. So an outage of a database does not
   * move all messages of the queue to the retry queues.
   */
  async function decide(mine: Life, incoming: IncomingMessage): Promise<Outcome> {
    const { messageId, routingKey } = incoming;
    let failures = 0;
    const call = async (): Promise<Outcome> => {
      try {
        return await options.handler(incoming);
      } catch (error) {
        failures += 1;
        if (failures === 1)
          logger.error(
            { queue, messageId, routingKey, error: messageOf(error) },
            'handler failed; the message will be retried',
          );
        throw error;
      }
    };
    try {
      return await retry(call, {
        when: () => mine.open,
        deadlineMs: options.holdMs,
        delay: () => backOff(failures - 1, maxHoldMs),
        signal: stopping.signal,
      });
    } catch (error) {
      if (mine.open && !stopping.signal.aborted)
        logger.error(
          { queue, messageId, routingKey, failures, error: messageOf(error) },
          'handler keeps failing; the message waits in a retry queue',
        );
      return { retryInMs: retryAfterHoldMs };
    }
  }

  /**
   * Acked only when the copy is confirmed. Until then the original is held, so that an outage does not
   * increase its delivery count.
   */
  async function copied(mine: Life, copy: OutgoingMessage): Promise<boolean> {
    const publish = async (): Promise<boolean> => {
      if (!mine.open) return false;
      const result = await options.publish(copy);
      if (result.ok) return true;
      logger.warn({ queue, messageId: copy.messageId, ...result }, 'failed to queue a retry; trying again');
      if (result.reason === 'returned' && model) await options.redeclare(model).catch(() => undefined);
      throw new Error(result.reason);
    };
    const delay = (failures: number) => backOff(failures - 1);
    return retry(publish, { delay, signal: stopping.signal }).catch(() => false);
  }

  return {
    attach(on) {
      model = on;
      void keepAlive(on);
    },
    detach() {
      model = undefined;
    },
    fault: () => fault,
    async stop() {
      stopping.abort();
      const last = life;
      if (last?.consumerTag !== undefined) await last.channel.cancel(last.consumerTag).catch(() => undefined);
      await Promise.allSettled([...inFlight]);
      if (last) await closeChannel(last);
    },
  };
}

/** Closing a closed channel throws, which is harmless. */
async function closeChannel({ channel, acks }: Life): Promise<void> {
  acks.flush();
  await channel.close().catch(() => undefined);
}
