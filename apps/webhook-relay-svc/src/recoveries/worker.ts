import type { Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import { recoverBatch, type BatchRow } from './recoveries.sql';

/** Does the recoveries that were asked for, of all copies, batch by batch. */
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
  let wakeUp: () => void = () => undefined;

  async function run(): Promise<void> {
    while (!stopped) {
      woken = false;
      const worked = await batch().catch((error: unknown) => {
        logger.warn({ error }, 'recovery batch failed; retrying');
        return false;
      });
      if (!worked && !woken && !stopped) await pause();
    }
  }

  async function batch(): Promise<boolean> {
    const [job] = await db.query<BatchRow>(recoverBatch, [batchSize]);
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
