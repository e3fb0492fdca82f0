import type { Channel, ConsumeMessage } from 'amqplib';

/** Acknowledges the messages of one channel. */
export interface Acks {
  received(message: ConsumeMessage): void;
  /** Sends the ack at the end of this turn of the event loop, together with the others of the turn. */
  ack(message: ConsumeMessage): void;
  /** Returns the message or moves it to the dead letters, at once. */
  reject(message: ConsumeMessage): void;
  /** Sends the acks that wait. Call it before the channel is closed. */
  flush(): void;
}

/**
 * RabbitMQ acknowledges all messages up to a delivery tag with one frame, and a quorum queue then writes one
 * command for all of them. So the oldest messages that are done share one ack. A message that is done before
 * an older one has an ack of its own.
 *
 * @param onDead called if the channel is closed: RabbitMQ delivers its messages again
 */
export function createAcks(channel: Channel, onDead: (error: unknown) => void): Acks {
  /** Messages that are not settled, in the order of their delivery tags. */
  const unsettled = new Set<ConsumeMessage>();
  const done = new Set<ConsumeMessage>();

  /** amqplib throws on a closed channel. */
  function settle(send: () => void): void {
    try {
      send();
    } catch (error) {
      onDead(error);
    }
  }

  function flush(): void {
    let last: ConsumeMessage | undefined;
    for (const message of unsettled) {
      if (!done.delete(message)) break;
      unsettled.delete(message);
      last = message;
    }
    settle(() => {
      if (last) channel.ack(last, true);
      for (const message of done) {
        unsettled.delete(message);
        channel.ack(message);
      }
    });
    done.clear();
  }

  return {
    received: (message) => void unsettled.add(message),
    ack(message) {
      if (done.size === 0) setImmediate(flush);
      done.add(message);
    },
    reject(message) {
      unsettled.delete(message);
      settle(() => channel.nack(message, false, false));
    },
    flush,
  };
}
