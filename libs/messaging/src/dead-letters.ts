import { exchanges } from '@canvass/contracts';
import { connect, type ChannelModel, type GetMessage } from 'amqplib';
import { withoutBrokerHeaders, routingKeyHeader } from './incoming';
import { createPublisher, type Publisher } from './publisher';

/** A message that a consumer rejected for good. */
export interface DeadLetter {
  messageId: string;
  /** The routing key of the first publish. */
  routingKey: string;
  /** The queue whose consumer rejected it; null for a message from elsewhere. */
  queue: string | null;
  /** `rejected`: it could not be processed. `delivery_limit`: it failed too often. */
  reason: string;
  diedAt: Date | null;
  body: Buffer;
}

/** The decision what to do with a dead letter: keep it, move it back to its queue, or delete it. */
export type Verdict = 'keep' | 'requeue' | 'discard';

const confirmTimeoutMs = 10_000;
const ignore = () => undefined; // a publish that fails has its reason in its result

interface Death {
  queue?: unknown;
  reason?: unknown;
  time?: { value?: unknown };
  'routing-keys'?: unknown[];
}

/**
 * Reads up to `max` messages of the queue, asks for each what to do, and puts the kept ones back in order. A
 * moved message is deleted only when RabbitMQ has confirmed its copy. If the process dies in between, it
 * exists twice with the same id.
 *
 * @returns the moved or deleted messages
 * @throws Error if a message cannot be moved: it and all later ones stay
 */
export async function visitDeadLetters(
  { url, queue }: { url: string; queue: string },
  max: number,
  judge: (letter: DeadLetter) => Verdict,
): Promise<DeadLetter[]> {
  const model: ChannelModel = await connect(url, { timeout: 10_000 });
  model.on('error', () => undefined); // the call in flight rejects
  try {
    const publisher = createPublisher({
      logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      confirmTimeoutMs,
      onChannelLost: ignore,
    });
    await publisher.open(model);
    const channel = await model.createChannel();
    channel.on('error', () => undefined);
    const held: GetMessage[] = [];
    while (held.length < max) {
      const message = await channel.get(queue);
      if (message === false) break;
      held.push(message);
    }
    const done: DeadLetter[] = [];
    for (const message of held) {
      const letter = letterOf(message);
      const verdict = judge(letter);
      if (verdict === 'keep') continue;
      if (verdict === 'requeue') await moveBack(publisher, letter, message);
      channel.ack(message);
      done.push(letter);
    }
    await channel.close(); // unacked messages go back
    return done;
  } finally {
    await model.close().catch(() => undefined);
  }
}

/**
 * Deletes the messages of a queue that `isUnwanted` finds by their bodies. It takes all messages, keeps no
 * body, and puts the others back in order; meanwhile no other process sees them.
 *
 * @returns how many it deleted
 */
export async function discardMessages(
  url: string,
  queue: string,
  isUnwanted: (body: Buffer) => boolean,
): Promise<number> {
  const model: ChannelModel = await connect(url, { timeout: 10_000 });
  model.on('error', () => undefined); // the call in flight rejects
  try {
    const channel = await model.createChannel();
    channel.on('error', () => undefined);
    let discarded = 0;
    let { messageCount: left } = await channel.checkQueue(queue);
    for (; left > 0; left -= 1) {
      const message = await channel.get(queue);
      if (message === false) break;
      if (!isUnwanted(message.content)) continue;
      channel.ack(message);
      discarded += 1;
    }
    await channel.close(); // unacked messages go back
    return discarded;
  } finally {
    await model.close().catch(() => undefined);
  }
}

async function moveBack(publisher: Publisher, letter: DeadLetter, message: GetMessage) {
  if (letter.queue === null) throw new Error(`The original queue of message ${letter.messageId} is unknown.`);
  const contentType: unknown = message.properties.contentType;
  const [result] = await publisher.publish([
    {
      exchange: exchanges.queues,
      routingKey: letter.queue,
      messageId: letter.messageId,
      body: letter.body,
      headers: {
        ...withoutBrokerHeaders(message.properties.headers ?? {}),
        [routingKeyHeader]: letter.routingKey,
      },
      ...(typeof contentType === 'string' ? { contentType } : {}),
    },
  ]);
  if (!result?.ok)
    throw new Error(
      `RabbitMQ did not accept message ${letter.messageId} (${result?.reason ?? 'no response'}).`,
    );
}

function letterOf({ content, fields, properties }: GetMessage): DeadLetter {
  const headers: Record<string, unknown> = properties.headers ?? {};
  const deaths: unknown = headers['x-death'];
  const death = (Array.isArray(deaths) ? (deaths as Death[])[0] : undefined) ?? {};
  const kept = headers[routingKeyHeader] ?? death['routing-keys']?.[0] ?? fields.routingKey;
  const seconds = death.time?.value;
  return {
    messageId: String(properties.messageId ?? ''),
    routingKey: String(kept),
    queue: typeof death.queue === 'string' ? death.queue : null,
    reason: typeof death.reason === 'string' ? death.reason : 'unknown',
    diedAt: typeof seconds === 'number' ? new Date(seconds * 1000) : null,
    body: content,
  };
}
