import type { ChannelModel } from 'amqplib';
import { setTimeout as sleep } from 'node:timers/promises';

const patienceMs = 2_000;

/**
 * Number of ready messages per queue. A missing queue ends the loop, because RabbitMQ then closes the
 * channel. Rejects if the broker does not respond.
 */
export async function queueDepths(
  model: ChannelModel,
  queues: readonly string[],
): Promise<Map<string, number>> {
  const channel = await within(model.createChannel());
  channel.on('error', () => undefined); // checkQueue rejects
  const depths = new Map<string, number>();
  try {
    for (const queue of queues) depths.set(queue, (await within(channel.checkQueue(queue))).messageCount);
  } catch (error) {
    if ((error as { code?: number }).code !== 404) throw error;
  } finally {
    void channel.close().catch(() => undefined); // already closed by the broker or with its connection
  }
  return depths;
}

async function within<T>(work: PromiseLike<T>): Promise<T> {
  const timer = new AbortController();
  const late = sleep(patienceMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error('RabbitMQ does not respond.');
  });
  late.catch(() => undefined);
  return Promise.race([work, late]).finally(() => timer.abort());
}
