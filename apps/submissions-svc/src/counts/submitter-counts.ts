import type { Database } from '@canvass/postgres';
import { createRangeCounts, type RangeCounts } from '@canvass/range-counts';
import type { Logger } from '@canvass/service-kit';
import { countedSubmitters, type TenantKey } from './counts.sql';

/** Counts the respondents of tenants. */
export type SubmitterCounts = RangeCounts<TenantKey>;

export const createSubmitterCounts = (db: Database, logger: Logger): SubmitterCounts =>
  createRangeCounts(db, countedSubmitters, (error) =>
    logger.warn({ error }, 'failed to count respondents of tenants; retrying in a minute'),
  );
