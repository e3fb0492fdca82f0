import { every, type Loop } from '@canvass/async';
import type { Database, Queryable } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import {
  addChanges,
  addRange,
  countOfForm,
  findChanged,
  startAscending,
  startDescending,
  tryLockForm,
} from './counts.sql';

/** Submissions of a range. A count reads fewer than two ranges, and a page skips at most one. */
const rangeSize = 10_000;
const changesAtOnce = 1_000;
/** Ranges end before the ids of this time. No transaction that creates a submission lasts so long. */
const youngestMs = 600_000;
const everyMs = 60_000;
/** Without a read, changes are added once an hour. */
const runsUntilAll = 60;

interface FormKey {
  tenantId: string;
  formId: string;
}

/** Counts submissions of forms by ranges (decision 0080). */
export interface FormCounts extends Loop {
  /** The number of submissions of a form that are not deleted, exact in the snapshot of `db`. */
  total(db: Queryable, form: FormKey): Promise<FormTotal>;
  /** Notes that a form with so many submissions is read, so that its ranges are counted if it is large. */
  seen(form: FormKey, total: number): void;
}

export interface FormTotal {
  total: number;
  /** Those that were counted one by one. */
  rest: number;
}

/** Where to start to read a page of a form in the order of ids. */
export interface Start {
  /** Descending: the page has ids below it. Ascending: it has this id and those above it. Null: no limit. */
  startId: string | null;
  /** Submissions before the page that have to be skipped from there. */
  offset: number;
}

/**
 * Finds where a page by number starts, so that the submissions before it are not read.
 *
 * @param rest of the total in the same snapshot
 */
export async function startOfPage(
  db: Queryable,
  form: FormKey,
  { offset, sortDir, rest }: { offset: number; sortDir: 'asc' | 'desc'; rest: number },
): Promise<Start> {
  const { tenantId, formId } = form;
  const [found] = await db.query(
    sortDir === 'asc'
      ? startAscending({ tenantId, formId, offset })
      : startDescending({ tenantId, formId, offset, rest: String(rest) }),
  );
  if (found === undefined) return { startId: null, offset };
  return { startId: found.startId, offset: offset - Number(found.skipped) };
}

/** Counts the ranges of the forms that were read and have many submissions. */
export function createFormCounts(db: Database, logger: Logger): FormCounts {
  /** Forms that were read and may have ranges to count. */
  const wanted = new Map<string, FormKey>();
  const want = ({ tenantId, formId }: FormKey) => wanted.set(formId, { tenantId, formId });
  let run = 0;
  const loop = every(
    everyMs,
    async (signal) => {
      const forms = run % runsUntilAll === 0 ? await db.query(findChanged()) : [];
      run += 1;
      for (const form of [...forms, ...wanted.values()]) {
        wanted.delete(form.formId);
        await countRanges(db, form, signal);
      }
    },
    {
      onError: (error) =>
        logger.warn({ error }, 'failed to count submissions of forms; retrying in a minute'),
    },
  );
  return {
    ...loop,
    seen: (form, total) => void (total > 2 * rangeSize && want(form)),
    async total(reader, form) {
      const { tenantId, formId } = form;
      const [row] = await reader.query(countOfForm({ tenantId, formId })).catch((error: unknown) => {
        want(form); // it took too long
        throw error;
      });
      const { total, rest, changes } = row!;
      if (Number(rest) > 2 * rangeSize || Number(changes) > changesAtOnce) want(form);
      return { total: Number(total), rest: Number(rest) };
    },
  };
}

/**
 * Adds recorded changes to the ranges of a form, and counts further ranges, each in a transaction of its own.
 *
 * @param options `size`: submissions of a range; `age`: of the youngest of them, in milliseconds
 */
export async function countRanges(
  db: Database,
  { tenantId, formId }: FormKey,
  signal?: AbortSignal,
  { size = rangeSize, age = youngestMs }: { size?: number; age?: number } = {},
): Promise<void> {
  for (let isDone = false; !isDone;) {
    signal?.throwIfAborted();
    isDone = await db.transaction(async (tx) => {
      const [lock] = await tx.query(tryLockForm({ formId }));
      if (!lock!.acquired) return true; // another process counts, or the form changes: the next run
      const [changes] = await tx.query(addChanges({ tenantId, formId, limit: changesAtOnce }));
      const ranges = await tx.query(addRange({ tenantId, formId, size, youngestMs: age }));
      return ranges.length === 0 && changes!.added < changesAtOnce;
    });
  }
}
