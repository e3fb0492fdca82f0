import type { Database } from '@canvass/postgres';
import { createRangeCounts, type RangeCounts } from '@canvass/range-counts';
import type { Logger } from '@canvass/service-kit';
import { countedSubmissions, type FormKey } from './counts.sql';

/** Counts the submissions of forms. Those that are deleted do not count. */
export type FormCounts = RangeCounts<FormKey>;

export const createFormCounts = (db: Database, logger: Logger): FormCounts =>
  createRangeCounts(db, countedSubmissions, (error) =>
    logger.warn({ error }, 'failed to count submissions of forms; retrying in a minute'),
  );
