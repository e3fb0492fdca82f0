import type { ChannelModel, ConfirmChannel, Message } from 'amqplib';
import type { Log, OutgoingMessage, PublishResult } from './broker';
import { messageOf } from './link';

export interface Publisher {
  publish(messages: readonly OutgoingMessage[]): Promise<PublishResult[]>;
  /** Opens a channel on a new connection. */
  open(model: ChannelModel): Promise<void>;
  /** Called when the connection is lost. */
  lost(): void;
  setBlocked(blocked: boolean): void;
  isBlocked(): boolean;
  isOpen(): boolean;
  /** Resolves when no publish is in flight. */
  idle(): Promise<void>;
}

interface PublisherOptions {
  logger: Log;
  confirmTimeoutMs: number;
  /** Called when the channel closes on a live connection. `open` must follow. */
  onChannelLost(reason: string): void;
}

/** One batch in flight. Confirms, returns and the end of the channel settle its messages in any order. */
interface Batch {
  settle(index: number, result: PublishResult): void;
  /** The caller has its results; nothing more of the batch may be sent. */
  over: boolean;
}

const failure = (
  reason: Extract<PublishResult, { ok: false }>['reason'],
  detail?: string,
): PublishResult => ({ ok: false, reason, ...(detail === undefined ? {} : { detail }) });

export function createPublisher({ logger, confirmTimeoutMs, onChannelLost }: PublisherOptions): Publisher {
  let channel: ConfirmChannel | undefined;
  let blocked = false;
  let closeReason = 'not connected to the broker';
  /** Returned but not yet confirmed. A return precedes the confirm of the same message. */
  const returned = new Map<string, { replyText: string; times: number }>();
  const inFlight = new Set<Promise<unknown>>();

  async function open(model: ChannelModel): Promise<void> {
    const opened = await model.createConfirmChannel();
    opened.on('error', (error) => (closeReason = error.message));
    opened.on('return', ({ fields, properties }: Message) => {
      const { replyText = 'unroutable' } = fields as { replyText?: string };
      const key = keyOf(fields, String(properties.messageId));
      returned.set(key, { replyText, times: (returned.get(key)?.times ?? 0) + 1 });
    });
    opened.on('close', () => {
      if (channel === opened) drop(closeReason);
    });
    channel = opened;
    returned.clear();
  }

  function drop(reason: string): void {
    channel = undefined;
    closeReason = reason;
    onChannelLost(reason);
  }

  async function send(messages: readonly OutgoingMessage[]): Promise<PublishResult[]> {
    const using = channel;
    if (!using) return messages.map(() => failure('disconnected', closeReason));
    if (blocked) return messages.map(() => failure('blocked'));

    const results: (PublishResult | undefined)[] = messages.map(() => undefined);
    let open = messages.length;
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const batch: Batch = {
      over: false,
      settle(index, result) {
        if (results[index]) return;
        results[index] = result;
        open -= 1;
        if (open === 0) finish();
      },
    };
    if (open === 0) return [];
    const late = setTimeout(finish, confirmTimeoutMs);
    void sendAll(using, messages, batch);
    await finished;
    batch.over = true;
    clearTimeout(late);

    if (open > 0 && channel === using && !blocked) {
      // A new channel does not wait for the outstanding confirms.
      logger.warn({ unconfirmed: open, confirmTimeoutMs }, 'confirms timed out; opening another channel');
      drop('the confirms timed out');
      using.close().catch(() => undefined); // the connection was lost meanwhile
    }
    return results.map((result) => result ?? failure('timeout'));
  }

  async function sendAll(
    using: ConfirmChannel,
    messages: readonly OutgoingMessage[],
    batch: Batch,
  ): Promise<void> {
    for (const [index, message] of messages.entries()) {
      if (batch.over) return;
      if (channel !== using) {
        batch.settle(index, failure('disconnected', closeReason));
        continue;
      }
      let writable = true;
      try {
        writable = using.publish(
          message.exchange,
          message.routingKey,
          message.body,
          {
            mandatory: true,
            persistent: true,
            messageId: message.messageId,
            contentType: message.contentType ?? 'application/json',
            headers: message.headers,
          },
          (error: Error | null) => batch.settle(index, confirmed(message, error)),
        );
      } catch (error) {
        batch.settle(index, thrown(error));
      }
      // False is back-pressure: further sends would pile up in memory.
      if (!writable) await drained(using);
    }
  }

  function confirmed(message: OutgoingMessage, error: Error | null): PublishResult {
    if (error) {
      return error.message === 'message nacked' ? failure('nacked') : failure('disconnected', closeReason);
    }
    if (returned.size === 0) return { ok: true };
    const key = keyOf(message, message.messageId);
    const entry = returned.get(key);
    if (!entry) return { ok: true };
    if (entry.times > 1) entry.times -= 1;
    else returned.delete(key);
    return failure('returned', entry.replyText);
  }

  return {
    open,
    lost() {
      channel = undefined;
      closeReason = 'not connected to the broker';
    },
    setBlocked: (value) => void (blocked = value),
    isBlocked: () => blocked,
    isOpen: () => channel !== undefined,
    async idle() {
      await Promise.allSettled([...inFlight]);
    },
    async publish(messages) {
      const sending = send(messages);
      inFlight.add(sending);
      try {
        return await sending;
      } finally {
        inFlight.delete(sending);
      }
    },
  };
}

/** Identifies a returned message. Messages with equal keys get the same result. */
function keyOf(address: { exchange: string; routingKey: string }, messageId: string): string {
  return JSON.stringify([messageId, address.exchange, address.routingKey]);
}

/** amqplib throws if the channel is closed (IllegalOperationError) or if it cannot encode the message. */
function thrown(error: unknown): PublishResult {
  const closed = (error as { name?: string } | null)?.name === 'IllegalOperationError';
  return failure(closed ? 'disconnected' : 'invalid', messageOf(error));
}

async function drained(channel: ConfirmChannel): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      channel.removeListener('drain', done);
      channel.removeListener('close', done);
      resolve();
    };
    channel.on('drain', done);
    channel.on('close', done);
  });
}
