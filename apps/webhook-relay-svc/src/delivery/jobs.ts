import { queues } from '@canvass/contracts';
import type { Broker, IncomingMessage, Outcome } from '@canvass/messaging';
import Joi from 'joi';
import type { Deliverer } from './deliverer';

interface Job {
  deliveryId: string;
}

const jobSchema = Joi.object<Job>({
  deliveryId: Joi.string()
    .pattern(/^[0-9]{1,19}$/)
    .required(),
}).unknown(true);

/**
 * Publishes one job `{ deliveryId }` per delivery. A job is a hint that saves the wait for the sweeper, never the only
 * record: what is not confirmed here, or lost later, is found in Postgres, so nothing is done about it.
 */
export async function publishJobs(broker: Broker, deliveryIds: readonly string[]): Promise<void> {
  await broker.publish(
    deliveryIds.map((deliveryId) => ({
      exchange: '',
      routingKey: queues.webhookDeliveries,
      messageId: deliveryId,
      contentType: 'application/json',
      body: Buffer.from(JSON.stringify({ deliveryId })),
    })),
  );
}

/**
 * Handles a job: the delivery is started here if it may be, else it is left to the sweepers and due at once. Either way
 * the job is done, so a slow endpoint holds no place in the queue's prefetch; the lease stands in for the message.
 */
export async function handleJob(
  deliverer: Deliverer,
  leaveToSweepers: (deliveryId: string) => Promise<void>,
  message: Pick<IncomingMessage, 'body'>,
): Promise<Outcome> {
  const job = jobOf(message.body);
  if (job === null) return 'dead';
  if ((await deliverer.deliver([job.deliveryId])) === 0) await leaveToSweepers(job.deliveryId);
  return 'ack';
}

function jobOf(body: Buffer): Job | null {
  try {
    const { value, error } = jobSchema.validate(JSON.parse(body.toString('utf8')));
    return error || BigInt(value.deliveryId) > 9_223_372_036_854_775_807n ? null : value;
  } catch {
    return null;
  }
}
