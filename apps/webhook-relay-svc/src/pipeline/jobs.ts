import { exchanges, queues } from '@canvass/contracts';
import type { Broker, IncomingMessage, Outcome } from '@canvass/messaging';
import { groupCommit } from '@canvass/postgres';
import { idSchema } from '@canvass/service-kit';
import Joi from 'joi';
import type { Deliverer } from './deliverer';
import type { Job, Leases } from './leases';

const id = idSchema.required();
const jobSchema = Joi.object<Job>({ tenantId: id, endpointId: id, deliveryId: id }).unknown(true);

/**
 * Publishes one job per delivery. A job only saves the wait for the next sweep: a job that is not
 * confirmed, or lost later, needs no repair, because sweeps find the delivery in Postgres.
 */
export async function publishJobs(broker: Broker, jobs: readonly Job[]): Promise<void> {
  await broker.publish(
    jobs.map((job) => ({
      exchange: exchanges.queues,
      routingKey: queues.webhookDeliveries,
      messageId: job.deliveryId,
      contentType: 'application/json',
      body: Buffer.from(JSON.stringify(job)),
    })),
  );
}

/**
 * Handler of jobs: starts the delivery if it may start, else leaves it to the sweeps and makes it due now.
 * The job is done in both cases, so a slow endpoint holds no place in the prefetch of the queue. Jobs that
 * arrive together are claimed together.
 *
 * @param onLeft called if deliveries of a group could not start
 */
export function jobHandler(
  leases: Pick<Leases, 'byIds'>,
  deliverer: Pick<Deliverer, 'start'>,
  onLeft: () => void,
): (message: Pick<IncomingMessage, 'body'>) => Promise<Outcome> {
  const claim = groupCommit<Job, void>({ items: 250 }, async (jobs) => {
    const claimed = await leases.byIds(jobs);
    deliverer.start(claimed);
    if (claimed.length < jobs.length) onLeft();
    return jobs.map(() => undefined);
  });

  return async (message) => {
    const job = jobIn(message.body);
    if (job === null) return 'dead';
    await claim(job);
    return 'ack';
  };
}

function jobIn(body: Buffer): Job | null {
  try {
    const { value, error } = jobSchema.validate(JSON.parse(body.toString('utf8')));
    return error ? null : value;
  } catch {
    return null;
  }
}
