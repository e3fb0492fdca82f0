import type { Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import { lockEndpoint } from '../endpoints';
import { lockNextRecovery, recoverBatch, type BatchRow, type RunningJobRow } from './recoveries.sql';

/** Runs the recoveries of all replicas, one batch of each in turn. */
export interface RecoveryWorker {
  start(): void;
  /** Look now: a recovery was asked for. */
  wake(): void;
  stop(): Promise<void>;
}

export interface RecoveryWorkerDeps {
  db: Database;
  logger: Logger;
  /** Called after each batch: deliveries are due. */
  onDue(): void;
  batchSize?: number;
}

const pauseMs = 5_000;

export function createRecoveryWorker({
  db,
  logger,
  onDue,
  batchSize = 500,
}: RecoveryWorkerDeps): RecoveryWorker {
  let loop: Promise<void> | undefined;
  let stopped = false;
  let woken = false;
  /** The job of the last batch: one that fails does not stop the others. */
  let lastJob = '0';
  let wakeUp: () => void = () => undefined;

  async function run(): Promise<void> {
    while (!stopped) {
      woken = false;
      const worked = await batch().catch((error: unknown) => {
        logger.warn({ error }, 'batch of a recovery failed; it is repeated');
        return false;
      });
      if (!worked && !woken && !stopped) await pause();
    }
  }

  async function batch(): Promise<boolean> {
    const job = await db.transaction(async (tx) => {
      const [next] = await tx.query<RunningJobRow>(lockNextRecovery, [lastJob]);
      if (!next) return undefined;
      lastJob = next.id;
      await tx.query(lockEndpoint, [next.tenant_id, next.endpoint_id]);
      const [done] = await tx.query<BatchRow>(recoverBatch, [next.tenant_id, next.id, batchSize]);
      return done;
    });
    if (!job) return false;
    onDue();
    if (job.status === 'done')
      logger.info({ recoveryId: job.id, deliveries: job.recovered }, 'recovery finished');
    return true;
  }

  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pauseMs);
      wakeUp = () => (clearTimeout(timer), resolve());
    });

  function wake(): void {
    woken = true;
    wakeUp();
  }

  return {
    start: () => void (loop ??= run()),
    wake,
    async stop() {
      stopped = true;
      wake();
      await loop;
    },
  };
}
