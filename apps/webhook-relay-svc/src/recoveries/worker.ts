import { every, type Loop } from '@canvass/async';
import type { Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import { recoverBatch, type BatchRow } from './recoveries.sql';

export interface RecoveryWorkerDeps {
  db: Database;
  logger: Logger;
  /** Called after each batch: deliveries are due. */
  onDue(): void;
  batchSize?: number;
}

const pauseMs = 5_000;

/**
 * Runs the requested recoveries batch by batch, also those requested at other replicas. `wake` it after a
 * request.
 */
export function createRecoveryWorker({ db, logger, onDue, batchSize = 500 }: RecoveryWorkerDeps): Loop {
  async function batch(): Promise<number | void> {
    const [job] = await db.query<BatchRow>(recoverBatch, [batchSize]);
    if (!job) return;
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
