import type { JobStep, RunningJob, Step } from '@canvass/jobs';
import type { Tx } from '@canvass/postgres';
import { lockEndpoint } from '../endpoints';
import { findMessageOf, type FoundFilter } from '../log';
import {
  deliveriesIn,
  endOfMissingWindow,
  endOfWindow,
  findEndpointState,
  makeMissing,
  missingIn,
  resendTaken,
  settleItems,
  takenBy,
  type MissingRow,
  type ResendMode,
  type TakenRow,
  type WindowRow,
} from './recoveries.sql';
import type { RecoveryRequest } from './recovery-request';

/** The place where a recovery is. */
interface Place {
  /** Deliveries up to this id are done. */
  lastId: string;
  /** All deliveries were looked at; what is left are the results. */
  isScanned: boolean;
  /** Results of noted deliveries up to this id were looked at. */
  settledTo: string;
  /** Time of the last progress, in ISO 8601. */
  progressAt: string;
}

type Job = RunningJob<RecoveryRequest, Place>;
type Progress = Pick<Step<Place>, 'done' | 'counts'> & Pick<Place, 'lastId' | 'isScanned'>;

const settledAtOnce = 1_000;
const resultsEveryMs = 500;
/** New events have to wait behind missing ones, so only so many of these wait at a time. */
const maxWaiting = 1_000;
/** The time without a result after which the rest of the results is not waited for. */
const maxIdleMs = 3_600_000;

/**
 * A step of a recovery: counts the results of what it made due, then makes the next deliveries due.
 *
 * @param rows of the log that one step looks at
 */
export const recoveryStep =
  (rows: number): JobStep<RecoveryRequest, Place> =>
  async (tx, job) => {
    const { settledTo = '0', progressAt = new Date().toISOString() } = job.place;
    const settled = await settle(tx, job, settledTo);
    const before = { done: job.done, counts: settled.counts, lastId: job.place.lastId ?? '0' };
    const scan = job.request.mode === 'missing' ? makeNext : resendNext;
    const progress =
      job.place.isScanned === true ? { ...before, isScanned: true } : await scan(tx, job, before, rows);
    if (typeof progress === 'string') {
      const place = { ...before, isScanned: true, settledTo, progressAt };
      return { ...before, place: placeOf(place), state: 'failed', error: progress };
    }
    const hasMoved = settled.ended > 0 || progress.lastId !== before.lastId;
    const since = hasMoved ? new Date().toISOString() : progressAt;
    const isIdle = Date.now() - Date.parse(since) > maxIdleMs;
    const isOver = progress.isScanned && (isIdle || (settled.isEmpty && progress.lastId === before.lastId));
    return {
      state: isOver ? 'done' : 'running',
      done: progress.done,
      counts: progress.counts,
      place: placeOf({ ...progress, settledTo: settled.next, progressAt: since }),
      pauseMs: hasMoved ? 0 : resultsEveryMs,
    };
  };

const placeOf = ({ lastId, isScanned, settledTo, progressAt }: Place): Place => ({
  lastId,
  isScanned,
  settledTo,
  progressAt,
});

async function settle(tx: Tx, { tenantId, id: jobId, counts }: Job, after: string) {
  const [row] = await tx.query(settleItems({ tenantId, jobId, after, rows: settledAtOnce }));
  const { looked, last, delivered, failed, cancelled } = row!;
  const added = { delivered, failedAgain: failed, skipped: cancelled };
  return {
    counts: plus({ recovered: 0, delivered: 0, failedAgain: 0, skipped: 0, ...counts }, added),
    ended: delivered + failed + cancelled,
    /** Nothing is noted: neither before `after` nor behind it. */
    isEmpty: looked === 0 && after === '0',
    next: looked < settledAtOnce ? '0' : last!,
  };
}

const plus = (counts: Record<string, number>, added: Record<string, number>) =>
  Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count + (added[name] ?? 0)]));

/** The filter of the job, with what the database knows of its message. */
function filterOf(tx: Tx, { tenantId, request }: Job): Promise<FoundFilter> {
  const { filter, deliveryIds } = request;
  const ids = deliveryIds === null ? {} : { ids: deliveryIds };
  return findMessageOf(tx, { ...filter, ...ids, tenantId });
}

type Scan = Pick<Progress, 'done' | 'counts' | 'lastId'>;

async function resendNext(tx: Tx, job: Job, { done, counts, lastId }: Scan, rows: number): Promise<Progress> {
  const { tenantId, id: jobId } = job;
  const filter = takenBy(job.request.mode as ResendMode, await filterOf(tx, job));
  const window = { after: lastId, before: jobId };
  const [end] = await tx.run<WindowRow>(endOfWindow(filter, window, rows));
  const { last, found } = end!;
  if (last === null) return { done, counts, lastId, isScanned: true };
  const part = { after: lastId, before: String(BigInt(last) + 1n) };
  const taken = await tx.run<TakenRow>(deliveriesIn(filter, part));
  let recovered = 0;
  // In the order of their ids, in which every transaction locks endpoints.
  for (const endpointId of [...new Set(taken.map((each) => each.endpointId))].sort(byId)) {
    const ids = taken.filter((each) => each.endpointId === endpointId).map(({ id }) => id);
    await tx.query(lockEndpoint({ tenantId, id: endpointId }));
    const [row] = await tx.query(resendTaken({ tenantId, endpointId, jobId, ids, statuses: filter.status }));
    recovered += row!.recovered;
  }
  return {
    done: done + taken.length,
    counts: plus(counts, { recovered, skipped: taken.length - recovered }),
    lastId: last,
    isScanned: found < rows,
  };
}

const byId = (one: string, other: string) => (BigInt(one) < BigInt(other) ? -1 : 1);

/** A text says why the job cannot continue. */
async function makeNext(
  tx: Tx,
  job: Job,
  { done, counts, lastId }: Scan,
  rows: number,
): Promise<Progress | string> {
  const { tenantId, id: jobId } = job;
  const filter = await filterOf(tx, job);
  const endpointId = filter.endpointId!;
  await tx.query(lockEndpoint({ tenantId, id: endpointId }));
  const [state] = await tx.query(findEndpointState({ tenantId, endpointId, max: maxWaiting }));
  if (state === undefined || state.isRemoved) return 'The endpoint is no longer in the webhook settings.';
  if (state.isDisabled) return 'The endpoint is disabled.';
  if (state.waiting >= maxWaiting) return { done, counts, lastId, isScanned: false };
  const [end] = await tx.run<WindowRow>(endOfMissingWindow(filter, { after: lastId, before: jobId }, rows));
  const { last, found } = end!;
  if (last === null) return { done, counts, lastId, isScanned: true };
  const part = { after: lastId, before: String(BigInt(last) + 1n) };
  const missing = await tx.run<MissingRow>(missingIn(filter, part));
  const [row] = await tx.query(
    makeMissing({
      tenantId,
      endpointId,
      jobId,
      messageIds: missing.map(({ messageId }) => messageId),
      eventNames: missing.map(({ eventName }) => eventName),
      entityIds: missing.map(({ entityId }) => entityId),
      formIds: missing.map(({ formId }) => formId),
      occurredAts: missing.map(({ occurredAt }) => occurredAt),
    }),
  );
  const { recovered } = row!;
  return {
    done: done + recovered,
    counts: plus(counts, { recovered }),
    lastId: last,
    isScanned: found < rows,
  };
}
