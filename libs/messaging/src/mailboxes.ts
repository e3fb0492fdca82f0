import type { Channel, ChannelModel } from 'amqplib';
import { exchanges } from '@canvass/contracts';
import type { Log, Mailbox } from './broker';
import { messageOf } from './link';

/** The transient queues of a process; see `Broker.openMailbox`. */
export interface Mailboxes {
  open(name: string, onMessage: (body: Buffer) => void): Mailbox;
  /** Declares the open mailboxes on a new connection. */
  attach(model: ChannelModel): void;
  /** Called when the connection is lost. */
  detach(): void;
}

/** The pause after a failed declaration. The queue of a lost connection may still exist for a while. */
const retryMs = 5_000;
const queueOptions = {
  exclusive: true,
  autoDelete: true,
  durable: false,
  arguments: { 'x-max-length': 1_000, 'x-overflow': 'drop-head' },
};

export function createMailboxes(logger: Log): Mailboxes {
  const handlers = new Map<string, (body: Buffer) => void>();
  let model: ChannelModel | undefined;
  let channel: Channel | undefined;

  async function openChannel(on: ChannelModel): Promise<void> {
    const opened = await on.createChannel();
    let cause = 'the channel closed';
    opened.on('error', (error) => (cause = error.message));
    opened.on('close', () => {
      if (channel === opened) channel = undefined;
      // The channels of a lost connection close before the connection does.
      setImmediate(() => {
        if (model !== on) return;
        logger.warn({ reason: cause }, 'mailboxes closed; opening them again');
        setTimeout(() => model === on && start(on), retryMs).unref();
      });
    });
    channel = opened;
    for (const name of handlers.keys()) await consume(opened, name);
  }

  /** A failure closes the channel or the connection, which tries again. */
  const start = (on: ChannelModel) => void openChannel(on).catch(() => undefined);

  async function consume(on: Channel, name: string): Promise<void> {
    await on.assertQueue(name, queueOptions);
    await on.bindQueue(name, exchanges.queues, name);
    await on.consume(name, (message) => message && handlers.get(name)?.(message.content), { noAck: true });
  }

  return {
    open(name, onMessage) {
      handlers.set(name, onMessage);
      if (channel)
        consume(channel, name).catch(() => undefined); // closes the channel, which reports it
      else if (model) start(model);
      return {
        send(to, body) {
          try {
            channel?.publish(exchanges.queues, to, body);
          } catch (error) {
            logger.debug({ to, error: messageOf(error) }, 'a transient message was not sent');
          }
        },
        async close() {
          handlers.delete(name);
          await channel?.deleteQueue(name).catch(() => undefined);
        },
      };
    },
    attach(on) {
      model = on;
      if (handlers.size > 0) start(on);
    },
    detach() {
      model = undefined;
      channel = undefined;
    },
  };
}
