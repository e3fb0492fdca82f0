import { withTimeout } from '@canvass/async';
import type { ChannelModel } from 'amqplib';

const patienceMs = 2_000;

/** Number of ready messages per queue, without missing queues. Rejects if the broker does not respond. */
export async function queueDepths(
  model: ChannelModel,
  queues: readonly string[],
): Promise<Map<string, number>> {
  const depths = new Map<string, number>();
  for (const queue of queues) {
    const depth = await depthOf(model, queue);
    if (depth !== undefined) depths.set(queue, depth);
  }
  return depths;
}

/** On its own channel, because RabbitMQ closes the channel if the queue is missing. */
async function depthOf(model: ChannelModel, queue: string): Promise<number | undefined> {
  const channel = await inTime(model.createChannel());
  channel.on('error', () => undefined); // checkQueue rejects
  try {
    return (await inTime(channel.checkQueue(queue))).messageCount;
  } catch (error) {
    if ((error as { code?: number }).code !== 404) throw error;
    return undefined;
  } finally {
    void channel.close().catch(() => undefined); // already closed by the broker or with its connection
  }
}

const inTime = <T>(work: PromiseLike<T>): Promise<T> =>
  withTimeout(work, patienceMs, 'RabbitMQ does not respond.');
