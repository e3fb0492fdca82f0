import { connect, type ChannelModel, type GetMessage } from 'amqplib';
import type { Broker } from './broker';
import { withoutBrokerHeaders, routingKeyHeader } from './incoming';

/** A message that a consumer gave up. */
export interface DeadLetter {
  messageId: string;
  /** As it was first published. */
  routingKey: string;
  /** The queue whose consumer gave it up; null for a message that got here some other way. */
  queue: string | null;
  /** `rejected`: it could not be read. `delivery_limit`: it failed too often. */
  reason: string;
  diedAt: Date | null;
  body: Buffer;
}

/** What to do with one of them: let it lie, move it back to its queue, delete it. */
export type Verdict = 'keep' | 'requeue' | 'discard';

interface Death {
  queue?: unknown;
  reason?: unknown;
  time?: { value?: unknown };
  'routing-keys'?: unknown[];
}

/**
 * Takes up to `most` messages of the queue into its hands, asks for each what to do, and gives back in their order those that are
 * to be kept. One that is moved is deleted only when RabbitMQ has confirmed its copy; should the process die in between, it is
 * there twice, with the same id.
 *
 * @returns those that were moved or deleted
 * @throws Error when one cannot be moved: it and all after it stay
 */
export async function visitDeadLetters(
  { url, queue, broker }: { url: string; queue: string; broker: Pick<Broker, 'publish'> },
  most: number,
  judge: (letter: DeadLetter) => Verdict,
): Promise<DeadLetter[]> {
  const model: ChannelModel = await connect(url, { timeout: 10_000 });
  model.on('error', () => undefined); // the call in flight rejects
  try {
    const channel = await model.createChannel();
    channel.on('error', () => undefined);
    const held: GetMessage[] = [];
    while (held.length < most) {
      const message = await channel.get(queue);
      if (message === false) break;
      held.push(message);
    }
    const done: DeadLetter[] = [];
    for (const message of held) {
      const letter = letterOf(message);
      const verdict = judge(letter);
      if (verdict === 'keep') continue;
      if (verdict === 'requeue') await moveBack(broker, letter, message);
      channel.ack(message);
      done.push(letter);
    }
    await channel.close(); // what is not acked goes back
    return done;
  } finally {
    await model.close().catch(() => undefined);
  }
}

async function moveBack(broker: Pick<Broker, 'publish'>, letter: DeadLetter, message: GetMessage) {
  if (letter.queue === null) throw new Error(`Nothing tells which queue message ${letter.messageId} is of.`);
  const contentType: unknown = message.properties.contentType;
  const [result] = await broker.publish([
    {
      exchange: '',
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
    throw new Error(`RabbitMQ did not take message ${letter.messageId} (${result?.reason ?? 'no answer'}).`);
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
