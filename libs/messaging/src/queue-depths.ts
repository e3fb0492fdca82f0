import { withTimeout } from '@canvass/async';
import type { ChannelModel } from 'amqplib';

const patienceMs = 2_000;

/**
 * Number of ready messages per queue. A missing queue ends the loop, because RabbitMQ then closes the
 * channel. Rejects if the broker does not respond.
 */
export async function queueDepths(
  model: ChannelModel,
  queues: readonly string[],
): Promise<Map<string, number>> {
  const channel = await inTime(model.createChannel());
  channel.on('error', () => undefined); // checkQueue rejects
  const depths = new Map<string, number>();
  try {
    for (const queue of queues) depths.set(queue, (await inTime(channel.checkQueue(queue))).messageCount);
  } catch (error) {
    if ((error as { code?: number }).code !== 404) throw error;
  } finally {
    void channel.close().catch(() => undefined); // already closed by the broker or with its connection
  }
  return depths;
}

const inTime = <T>(work: PromiseLike<T>): Promise<T> =>
  withTimeout(work, patienceMs, 'RabbitMQ does not respond.');
