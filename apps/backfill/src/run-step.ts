import { setTimeout as sleep } from 'node:timers/promises';
import { sqlState, type BoundStatement } from '@canvass/postgres';
import { finishStep, readLockedRows, type StepProgress } from './progress.sql';
import { againBatch, between, nextRange, rangeBatch, type StepName } from './steps.sql';

/** One connection with short timeouts, on which every statement is a transaction. */
export interface Session {
  query<R>(sql: BoundStatement<R> | string): Promise<R[]>;
}

export interface StepOptions {
  externalProviders: readonly string[];
  signal: AbortSignal;
  /** Pause between two batches in milliseconds; 0 for none. */
  pauseMs: number;
  /** The time to wait for rows that other sessions have locked, in milliseconds. */
  patienceMs: number;
  onProgress(step: StepName, examined: number, changed: number): void;
}

/** Target duration of a batch in milliseconds, because other sessions may wait for its rows. */
const aimMs = 20;
/**
 * Rows per batch. Below `usual` the fixed cost dominates. Only a batch that the server cancelled is made
 * smaller for a while.
 */
const sizes = { first: 200, min: 1, usual: 100, max: 2_000 };
const maxFailures = 60;

/** Temporary conflicts: a lock not granted, a key in use, a submitter deleted meanwhile. */
const inTheWay = /^(55P03|40P01|40001|23505|23503)$/;
const tooSlow = '57014';

/**
 * Processes the rest of one step. It can be stopped at any point and continues from the stored `progress`.
 */
export async function runStep(session: Session, progress: StepProgress, options: StepOptions): Promise<void> {
  const { step, lastId } = progress;
  const providers = options.externalProviders;
  const work = withPause(options);

  let { after, examined, changed } = progress;
  for (;;) {
    const done = await work(async (size) => {
      const next = { afterTenantId: after.tenantId, afterId: after.id, lastId, limit: size };
      const [upto] = await session.query(nextRange(next));
      if (!upto) return true;
      const batch = { ...between(after, upto), lastId, rows: upto.rows, providers };
      const [result] = await session.query(rangeBatch[step](batch));
      after = upto;
      examined += upto.rows;
      changed = result?.changed ?? changed;
      return false;
    });
    options.onProgress(step, examined, changed);
    if (done) break;
  }
  await doLockedRows(session, { ...progress, examined }, options, work);
  await session.query(finishStep({ step }));
}

/**
 * Processes the rows that were skipped because other sessions had locked them. It does not wait for locks, so
 * it holds none meanwhile.
 */
async function doLockedRows(
  session: Session,
  { step, examined }: StepProgress,
  options: StepOptions,
  work: Work,
): Promise<void> {
  let fewest = Infinity;
  let since = performance.now();
  for (;;) {
    const [row] = await session.query(readLockedRows({ step }));
    const { tenantIds, ids } = row!;
    if (ids.length === 0) return;
    if (ids.length < fewest) [fewest, since] = [ids.length, performance.now()];
    else if (performance.now() - since > options.patienceMs) {
      throw new Error(
        `Step ${step}: ${ids.length} submissions are locked by other sessions, the first is ${ids[0]}. ` +
          'End those transactions (pg_stat_activity) and run it again to continue from here.',
      );
    } else await sleep(100, undefined, { signal: options.signal });
    for (let from = 0; from < ids.length;) {
      await work(async (size) => {
        const part = <T>(of: T[]) => of.slice(from, from + size);
        const batch = { tenantIds: part(tenantIds), ids: part(ids), providers: options.externalProviders };
        const [result] = await session.query(againBatch[step](batch));
        from += size;
        options.onProgress(step, examined, result?.changed ?? 0);
        return false;
      });
    }
  }
}

type Work = (batch: (size: number) => Promise<boolean>) => Promise<boolean>;

/** Runs batches of a size that fits the target duration, and repeats failed ones. */
function withPause({ signal, pauseMs }: StepOptions): Work {
  let size = sizes.first;
  return async (batch) => {
    for (let failures = 0; ;) {
      signal.throwIfAborted();
      const started = performance.now();
      try {
        const done = await batch(size);
        const took = performance.now() - started;
        if (took < aimMs / 2) size = Math.min(sizes.max, Math.ceil(size * 1.5));
        else if (size < sizes.usual) {
          if (took < 2 * aimMs) size = Math.min(sizes.usual, Math.ceil(size * 1.5));
        } else if (took > aimMs) size = Math.max(sizes.usual, Math.floor((size * aimMs) / took));
        if (pauseMs > 0 && !done) await sleep(pauseMs, undefined, { signal });
        return done;
      } catch (error) {
        const code = sqlState(error) ?? '';
        if (!inTheWay.test(code) && code !== tooSlow) throw error;
        failures += 1;
        if (failures === maxFailures) throw error;
        if (code === tooSlow) size = Math.max(sizes.min, Math.floor(size / 4));
        await sleep(Math.random() * 20 * Math.min(failures, 10), undefined, { signal });
      }
    }
  };
}
