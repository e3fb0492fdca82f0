import { every, type Loop } from '@canvass/async';
import type { Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import { lockEndpoint } from '../endpoints';
import { lockNextRecovery, recoverBatch } from './recoveries.sql';

export interface RecoveryWorkerDeps {
  db: Database;
  logger: Logger;
  /** Called after each batch: deliveries are due. */
  onDue(): void;
  batchSize?: number;
}

const pauseMs = 5_000;

/**
 * Runs the requested recoveries of all replicas, one batch of each in turn, so that one that fails does not
 * stop the others. `wake` it after a request.
 */
export function createRecoveryWorker({ db, logger, onDue, batchSize = 500 }: RecoveryWorkerDeps): Loop {
  let lastJob = '0';

  async function batch(): Promise<number | void> {
    const job = await db.transaction(async (tx) => {
      const [next] = await tx.query(lockNextRecovery({ last: lastJob }));
      if (!next) return undefined;
      lastJob = next.id;
      await tx.query(lockEndpoint({ tenantId: next.tenantId, id: next.endpointId }));
      // failpoint: relay.recoveries.locked
      const [done] = await tx.query(recoverBatch({ ...next, rows: batchSize }));
      return { id: next.id, ...done! };
    });
    if (!job) return;
    // failpoint: relay.recoveries.committed
    onDue();
    if (job.status === 'done')
      logger.info({ recoveryId: job.id, deliveries: job.recovered }, 'recovery finished');
    return 0;
  }
  return every(pauseMs, batch, {
    atOnce: true,
    onError: (error) => logger.warn({ error }, 'recovery batch failed; retrying'),
  });
}
