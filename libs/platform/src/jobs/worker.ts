import { every, type Loop } from '@canvass/async';
import { privilegedPermissions, type Revocations } from '@canvass/auth';
import type { Database } from '@canvass/postgres';
import type { Logger, Metrics } from '@canvass/service-kit';
import {
  countRunning,
  deleteFinished,
  endRevoked,
  findNextDue,
  lockDue,
  lostRights,
  saveFailure,
  type DueRow,
} from './jobs.sql';
import { jobKinds, type JobKind } from './kinds';
import { runStep, type JobStep, type RunningJob } from './step';

export interface JobWorkerDeps {
  db: Database;
  logger: Logger;
  metrics: Metrics;
  /** The step of each kind. A kind that is missing here is left to other versions of the service. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each kind has its own types
  kinds: Readonly<Record<string, JobStep<any, any>>>;
  /** Ends jobs of revoked accounts. */
  revocations: Pick<Revocations, 'assertNotRevoked' | 'isCurrent'>;
  /** Finished jobs are deleted after this time. */
  keptSeconds: number;
  /** Called after each committed step. */
  onStep(): void;
}

const isPrivileged = (kind: JobKind): boolean => privilegedPermissions.has(jobKinds[kind]?.cancel);

/** The pause before the next look at a job that another process works on, which may be killed. */
const lockedMs = 1_000;
/** Longest sleep. A process that is killed after the start of a job has woken no other. */
const idleMs = 15_000;
const deleteEveryMs = 3_600_000;
const deletedAtOnce = 1_000;
/** The number of failures that, with the growing pauses between them, make an hour. */
const maxFailures = 20;

/**
 * Runs the jobs of a service, one step of each in turn. Any number of processes may run it: a step locks its
 * job. A process that is killed loses only its uncommitted step, and any process continues the job. A step
 * that fails is repeated after a pause; after 20 failures in a row the job is `failed`.
 *
 * `wake` it after a job was started.
 */
export function createJobWorker({
  db,
  logger,
  metrics,
  kinds,
  revocations,
  keptSeconds,
  onStep,
}: JobWorkerDeps): Loop {
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

  /** Kinds of jobs that may run. As for requests, nothing privileged runs while revocations are unknown. */
  const runnable = () =>
    revocations.isCurrent() ? names : names.filter((kind) => !isPrivileged(kind as JobKind));

  function isRevoked({ startedBy, version }: DueRow): boolean {
    if (startedBy === null || version === null) return false;
    try {
      revocations.assertNotRevoked({ kind: startedBy.kind, sub: startedBy.subject, ver: version }, undefined);
      return false;
    } catch {
      return true;
    }
  }

  async function fail({ tenantId, id, kind }: DueRow, cause: unknown): Promise<void> {
    steps.inc({ kind, end: 'failed' });
    logger.warn({ error: cause, jobId: id, kind }, 'a step of a job failed');
    const error = 'A step failed too often. The log of the service has the cause.';
    const [after] = await db.query(saveFailure({ tenantId, id, max: maxFailures, error }));
    if (after?.state === 'failed') logger.error({ jobId: id, kind }, 'job failed');
  }

  async function round(): Promise<number | void> {
    let due: DueRow | undefined;
    try {
      const step = await db.transaction(async (tx) => {
        [due] = await tx.query(lockDue({ kinds: runnable() }));
        if (due === undefined) return undefined;
        const { kind, startedBy: _, version: _version, ...job } = due;
        if (isRevoked(due)) {
          await tx.query(endRevoked({ tenantId: due.tenantId, id: due.id, error: lostRights }));
          return { state: 'failed', counts: {} } as const;
        }
        return runStep(tx, job as RunningJob<unknown, object>, kinds[kind]!);
      });
      if (due === undefined || step === undefined) return await untilNextDue();
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

  /** Milliseconds until a job that pauses is due, or a job that another process works on is looked at. */
  async function untilNextDue(): Promise<number> {
    const [next] = await db.query(findNextDue({ kinds: names, lockedMs }));
    return Math.min(idleMs, next?.waitMs ?? idleMs);
  }

  async function removeFinished(signal: AbortSignal): Promise<void> {
    let removed = deletedAtOnce;
    while (removed === deletedAtOnce && !signal.aborted)
      removed = (await db.query(deleteFinished({ seconds: keptSeconds, rows: deletedAtOnce }))).length;
  }

  const working = every(lockedMs, round, {
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
