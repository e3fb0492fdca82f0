import { queues } from '@canvass/contracts';
import type { Broker, IncomingMessage, Outcome } from '@canvass/messaging';
import Joi from 'joi';
import { groupCommit } from '../group-commit';
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
 * Publishes one job `{ deliveryId }` per delivery. A job is a hint that saves the wait for the sweeper, never
 * the only record: what is not confirmed here, or lost later, is found in Postgres, so nothing is done about
 * it.
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

/** Deliveries that one statement leaves to the sweepers; a consumer has no more of them in its hands. */
const mostAtOnce = 250;

/**
 * Handler of jobs: the delivery is started here if it may be, else it is left to the sweepers and due at
 * once. Either way the job is done, so a slow endpoint holds no place in the queue's prefetch; the lease
 * stands in for the message.
 *
 * Jobs that come together are left together: thousands of one endpoint that has no slot free stand in the
 * same queue as everybody else's, and must be out of the way as fast as they came.
 *
 * @param leaveToSweepers makes these deliveries due now
 */
export function jobHandler(
  deliverer: Pick<Deliverer, 'deliver'>,
  leaveToSweepers: (deliveryIds: readonly string[]) => Promise<void>,
): (message: Pick<IncomingMessage, 'body'>) => Promise<Outcome> {
  const leave = groupCommit<string, void>(mostAtOnce, async (take) => {
    const ids = take();
    await leaveToSweepers(ids);
    return ids.map(() => undefined);
  });

  return async (message) => {
    const job = jobOf(message.body);
    if (job === null) return 'dead';
    if ((await deliverer.deliver([job.deliveryId])) === 0) await leave(job.deliveryId);
    return 'ack';
  };
}

function jobOf(body: Buffer): Job | null {
  try {
    const { value, error } = jobSchema.validate(JSON.parse(body.toString('utf8')));
    return error || BigInt(value.deliveryId) > 9_223_372_036_854_775_807n ? null : value;
  } catch {
    return null;
  }
}
