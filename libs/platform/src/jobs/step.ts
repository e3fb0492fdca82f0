import type { Tx } from '@canvass/postgres';
import { readJob } from './jobs';
import { saveStep, type Counts, type JobRow } from './jobs.sql';

/** A job at the beginning of a step. */
export interface RunningJob<Request, Place> {
  tenantId: string;
  id: string;
  request: Request;
  /** Items that earlier steps have looked at. */
  done: number;
  /** The counts as the last step left them; the first step gets empty objects. */
  counts: Counts;
  place: Partial<Place>;
}

/** The result of a step. Its changes and this are committed together. */
export interface Step<Place> {
  state: 'running' | 'done' | 'failed';
  /** The items of all steps. */
  done: number;
  counts: Counts;
  place: Place;
  /** The result of a job that is done, as JSON. */
  result?: object;
  /** The error of a job that failed: a sentence for its author. */
  error?: string;
  /** Milliseconds before the next step. */
  pauseMs?: number;
}

/** The next step of a job: a few rows, less than a second. It does nothing but SQL and may run twice. */
export type JobStep<Request, Place> = (tx: Tx, job: RunningJob<Request, Place>) => Promise<Step<Place>>;

/** Runs a step of a job that the transaction has locked or made, and saves its end. */
export async function runStep<Request, Place>(
  tx: Tx,
  job: RunningJob<Request, Place>,
  step: JobStep<Request, Place>,
): Promise<Step<Place>> {
  const end = await step(tx, job);
  const { state, done, pauseMs = 0, result, error = null } = end;
  await tx.query(
    saveStep({
      tenantId: job.tenantId,
      id: job.id,
      state,
      done,
      pauseMs,
      error,
      counts: JSON.stringify(end.counts),
      place: JSON.stringify(end.place),
      result: result === undefined ? null : JSON.stringify(result),
    }),
  );
  return end;
}

/**
 * Runs the first step of a job in the transaction that started it, so that a small job has ended when its
 * request is answered. Otherwise the worker continues it.
 */
export async function runFirstStep<Request, Place>(
  tx: Tx,
  { tenantId, id, request }: { tenantId: string; id: string; request: Request },
  step: JobStep<Request, Place>,
): Promise<JobRow> {
  await runStep(tx, { tenantId, id, request, done: 0, counts: {}, place: {} }, step);
  return readJob(tx, tenantId, id);
}
