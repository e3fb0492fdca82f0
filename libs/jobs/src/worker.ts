import { every, type Loop } from '@canvass/async';
import type { Database, Tx } from '@canvass/postgres';
import type { Logger, Metrics } from '@canvass/service-kit';
import {
  countRunning,
  deleteFinished,
  lockDue,
  saveFailure,
  saveStep,
  type Counts,
  type DueRow,
} from './jobs.sql';

/** A job at the beginning of a step. */
export interface RunningJob<Request, Place> {
  tenantId: string;
  id: string;
  request: Request;
  /** Items that earlier steps have looked at. */
  done: number;
  /** As the last step left them; the first step gets empty objects. */
  counts: Counts;
  place: Partial<Place>;
}

/** What a step did. Its changes and this are committed together. */
export interface Step<Place> {
  state: 'running' | 'done' | 'failed';
  /** Of all steps. */
  done: number;
  counts: Counts;
  place: Place;
  /** Of a job that is done, as JSON. */
  result?: object;
  /** Of a job that failed: a sentence for its author. */
  error?: string;
  /** Milliseconds before the next step. */
  pauseMs?: number;
}

/** The next step of a job: a few rows, less than a second. It does nothing but SQL and may run twice. */
export type JobStep<Request, Place> = (tx: Tx, job: RunningJob<Request, Place>) => Promise<Step<Place>>;

export interface JobWorkerDeps {
  db: Database;
  logger: Logger;
  metrics: Metrics;
  /** The step of each kind. A kind that is missing here is left to other versions of the service. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each kind has its own types
  kinds: Readonly<Record<string, JobStep<any, any>>>;
  /** Finished jobs are deleted after this time. */
  keptSeconds: number;
  /** Called after each committed step. */
  onStep(): void;
}

const pollMs = 1_000;
const deleteEveryMs = 3_600_000;
const deletedAtOnce = 1_000;
/** With the growing pauses between them, an hour of failures. */
const mostFailures = 20;

/**
 * Runs the jobs of a service, one step of each in turn. Any number of processes may run it: a step locks its
 * job. A process that is killed loses only its uncommitted step, and any process continues the job. A step
 * that fails is repeated after a pause; after 20 failures in a row the job is `failed`.
 *
 * `wake` it after a job was started.
 */
export function createJobWorker({ db, logger, metrics, kinds, keptSeconds, onStep }: JobWorkerDeps): Loop {
  const names = Object.keys(kinds);
  const steps = metrics.counter({
    name: 'job_steps_total',
    help: 'Steps of long jobs by their end.',
    labels: ['kind', 'end'],
  });
  metrics.gauge({
    name: 'jobs_running',
    help: 'Long jobs that have not ended.',
    labels: ['kind'],
    collect: async () => {
      const counted = await db.query(countRunning({ kinds: names })).catch(() => []);
      return counted.map(({ kind, running }) => ({ labels: { kind }, value: running }));
    },
  });

  async function run(tx: Tx, { kind, ...job }: DueRow): Promise<Step<object>> {
    const step = await kinds[kind]!(tx, job as RunningJob<unknown, object>);
    const { state, done, pauseMs = 0, result, error = null } = step;
    await tx.query(
      saveStep({
        tenantId: job.tenantId,
        id: job.id,
        state,
        done,
        pauseMs,
        error,
        counts: JSON.stringify(step.counts),
        place: JSON.stringify(step.place),
        result: result === undefined ? null : JSON.stringify(result),
      }),
    );
    return step;
  }

  async function fail({ tenantId, id, kind }: DueRow, cause: unknown): Promise<void> {
    steps.inc({ kind, end: 'failed' });
    logger.warn({ error: cause, jobId: id, kind }, 'a step of a job failed');
    const error = 'A step failed too often. The log of the service has the cause.';
    const [after] = await db.query(saveFailure({ tenantId, id, most: mostFailures, error }));
    if (after?.state === 'failed') logger.error({ jobId: id, kind }, 'job failed');
  }

  async function round(): Promise<number | void> {
    let due: DueRow | undefined;
    try {
      const step = await db.transaction(async (tx) => {
        [due] = await tx.query(lockDue({ kinds: names }));
        // failpoint: jobs.locked
        return due && run(tx, due);
      });
      // failpoint: jobs.committed
      if (due === undefined || step === undefined) return;
      steps.inc({ kind: due.kind, end: 'committed' });
      if (step.state !== 'running')
        logger.info({ jobId: due.id, kind: due.kind, state: step.state, ...step.counts }, 'job ended');
      onStep();
    } catch (error) {
      if (due === undefined) throw error;
      await fail(due, error);
    }
    return 0;
  }

  async function removeFinished(signal: AbortSignal): Promise<void> {
    let removed = deletedAtOnce;
    while (removed === deletedAtOnce && !signal.aborted)
      removed = (await db.query(deleteFinished({ seconds: keptSeconds, rows: deletedAtOnce }))).length;
  }

  const working = every(pollMs, round, {
    atOnce: true,
    onError: (error) => logger.warn({ error }, 'failed to read the jobs; trying again'),
  });
  const deleting = every(deleteEveryMs, removeFinished, {
    atOnce: true,
    onError: (error) => logger.warn({ error }, 'failed to delete finished jobs; trying again'),
  });
  return {
    start() {
      working.start();
      deleting.start();
    },
    wake: () => working.wake(),
    stop: () => Promise.all([working.stop(), deleting.stop()]).then(() => undefined),
  };
}
