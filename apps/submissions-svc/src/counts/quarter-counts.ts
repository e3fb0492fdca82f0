import { every, type Loop } from '@canvass/async';
import { sqlState, type Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import { LRUCache } from 'lru-cache';
import type { FormKey } from './counts.sql';
import {
  addQuarterChanges,
  countQuarters,
  findChangedQuarters,
  findLargeForms,
  lockCounted,
  lockQuarters,
  recordUntil,
} from './quarters.sql';

/** Submissions that statistics may read one by one before they are counted by quarters. */
const mostRead = 20_000;
/** Submissions that are counted in one statement, and changes that are added in one. */
const countedAtOnce = 10_000;
const changesAtOnce = 1_000;
/**
 * Changes are recorded of quarters that ended so long ago. No transaction that creates a submission lasts
 * longer.
 */
const youngestMs = 600_000;
/** Writers of the form wait meanwhile. The next try is a minute later. */
const longestLockMs = 200;
const everyMs = 60_000;
/** Without a read, changes are added once an hour. */
const runsUntilAll = 60;

/** Statistics of a form, or of all forms of a tenant. */
export interface Statistics {
  tenantId: string;
  formId?: string;
}

export interface QuarterOptions {
  /** Submissions that are counted in one statement. */
  size?: number;
  /** Age of the youngest quarter in milliseconds. */
  age?: number;
}

/** Counts submissions of large forms by quarters of an hour, for statistics (decision 0081). */
export interface QuarterCounts extends Loop {
  /** Notes that statistics of a form, or of all forms of a tenant, read so many submissions one by one. */
  seen(of: Statistics, read: number): void;
  /** Whether these statistics read few submissions one by one when they were last seen. */
  readFew(of: Statistics): boolean;
  /** Counts the quarters of a form now. */
  countForm(form: FormKey, signal?: AbortSignal, options?: QuarterOptions): Promise<void>;
}

export function createQuarterCounts(db: Database, logger: Logger): QuarterCounts {
  const wanted = new Map<string, Statistics>();
  const few = new LRUCache<string, boolean>({ max: 10_000 });
  let run = 0;

  async function countForm(
    { tenantId, formId }: FormKey,
    signal?: AbortSignal,
    { size = countedAtOnce, age = youngestMs }: QuarterOptions = {},
  ): Promise<void> {
    const form = { tenantId, formId };
    await db.transaction(async (tx) => {
      await tx.query(`set local lock_timeout = '${longestLockMs}ms'`);
      await tx.query(lockQuarters({ formId }));
      await tx.query(recordUntil({ ...form, youngestMs: age }));
    });
    for (let isMore = true; isMore;) {
      signal?.throwIfAborted();
      isMore = await db.transaction(async (tx) => {
        const locked = await tx.query(lockCounted(form));
        if (locked.length === 0) return false;
        const [counted] = await tx.query(countQuarters({ ...form, size }));
        const [changes] = await tx.query(addQuarterChanges({ ...form, limit: changesAtOnce }));
        return counted!.isMore || changes!.added === changesAtOnce;
      });
    }
  }

  async function countWanted(form: FormKey, signal: AbortSignal): Promise<void> {
    try {
      await countForm(form, signal);
    } catch (error) {
      if (sqlState(error) !== lockNotAvailable) throw error;
      wanted.set(form.formId, form); // it is being changed; in a minute
    }
  }

  const loop = every(
    everyMs,
    async (signal) => {
      const changed = run % runsUntilAll === 0 ? await db.query(findChangedQuarters()) : [];
      run += 1;
      const noted = [...wanted.values()];
      wanted.clear();
      for (const form of changed) await countWanted(form, signal);
      for (const { tenantId, formId } of noted) {
        const forms =
          formId === undefined
            ? await db.query(findLargeForms({ tenantId, size: mostRead }))
            : [{ tenantId, formId }];
        for (const form of forms) await countWanted(form, signal);
      }
    },
    {
      onError: (error) =>
        logger.warn({ error }, 'failed to count submissions by quarters of an hour; retrying in a minute'),
    },
  );
  return {
    ...loop,
    countForm,
    seen({ tenantId, formId }, read) {
      few.set(keyOf({ tenantId, formId }), read <= mostRead);
      if (read > mostRead)
        wanted.set(formId ?? tenantId, formId === undefined ? { tenantId } : { tenantId, formId });
    },
    readFew: (of) => few.get(keyOf(of)) === true,
  };
}

const keyOf = ({ tenantId, formId = '' }: { tenantId: string; formId?: string | undefined }) =>
  `${tenantId}/${formId}`;

/** SQLSTATE of a lock that was not free in time. */
const lockNotAvailable = '55P03';
