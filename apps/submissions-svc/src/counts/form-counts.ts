import { every, type Loop } from '@canvass/async';
import type { Database, Queryable } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import {
  addChanges,
  addRange,
  countOfForm,
  findChanged,
  pageAscending,
  pageDescending,
  tryLockForm,
  type CountRow,
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

/** Counts submissions of forms by ranges (decision 0080). Submissions that are deleted do not count. */
export interface FormCounts extends Loop {
  /** The exact number of submissions of a form. */
  total(db: Queryable, form: FormKey): Promise<number>;
  /** The same number, and where a page by number in the order of ids starts. */
  page(db: Queryable, form: FormKey, place: PagePlace): Promise<CountedPage>;
  /** Notes that a form with so many submissions is read, so that its ranges are counted if it is large. */
  seen(form: FormKey, total: number): void;
}

export interface PagePlace {
  /** Submissions before the page. */
  offset: number;
  sortDir: 'asc' | 'desc';
}

/** A page that reads few of the submissions before it. */
export interface CountedPage {
  total: number;
  /** Descending: the page has ids below it. Ascending: it has this id and those above it. Null: no limit. */
  startId: string | null;
  /** Submissions before the page that have to be skipped from there. */
  offset: number;
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
  async function counted<Row extends CountRow>(form: FormKey, rows: Promise<Row[]>): Promise<Row> {
    const [row] = await rows.catch((error: unknown) => {
      want(form); // it may have taken too long
      throw error;
    });
    if (Number(row!.rest) > 2 * rangeSize || Number(row!.changes) > changesAtOnce) want(form);
    return row!;
  }
  return {
    ...loop,
    async total(reader, { tenantId, formId }) {
      const { total } = await counted({ tenantId, formId }, reader.query(countOfForm({ tenantId, formId })));
      return Number(total);
    },
    async page(reader, { tenantId, formId }, { offset, sortDir }) {
      const read = sortDir === 'asc' ? pageAscending : pageDescending;
      const rows = reader.query(read({ tenantId, formId, offset }));
      const { total, bound, skipped } = await counted({ tenantId, formId }, rows);
      return { total: Number(total), startId: bound, offset: offset - Number(skipped ?? 0) };
    },
    seen: (form, total) => void (total > 2 * rangeSize && want(form)),
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
