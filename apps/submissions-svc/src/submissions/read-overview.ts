import { Problem } from '@canvass/errors';
import { readBounded, type Database } from '@canvass/postgres';
import { withCounts } from '@canvass/range-counts';
import { startsOf, type Bucket, type Period } from '@canvass/service-kit';
import type { QuarterCounts } from '../counts';
import { countByBucket, countByBucketWithoutQuarters, type OverviewCounts } from './overview.sql';

export type OverviewBucket = { start: Date } & OverviewCounts;

/** Submissions of all forms of a tenant by time. */
export interface SubmissionOverview {
  from: Date;
  to: Date;
  bucket: Bucket;
  total: OverviewCounts;
  /** Every bucket of the range, in order. */
  buckets: OverviewBucket[];
}

/** Shorter buckets have parts of quarters. */
const secondsOfQuarter = 900;
const none: OverviewCounts = { started: 0, completed: 0, screenedOut: 0 };

/** Counts the submissions of a period. @throws {Problem} `query_too_broad` after 5 s */
export async function readOverview(
  db: Database,
  quarters: QuarterCounts,
  tenantId: string,
  period: Period,
): Promise<SubmissionOverview> {
  const { from, to, bucket, seconds } = period;
  const counted = withCounts(seconds < secondsOfQuarter ? null : quarters, (counts) => {
    const count = counts === null ? countByBucketWithoutQuarters : countByBucket;
    return readBounded(db, 'Choose a shorter range with from and to.', (tx) =>
      tx.query(count({ tenantId, from, to, seconds })),
    );
  });
  const rows = await counted.catch((error: unknown) => {
    if (error instanceof Problem) quarters.seen({ tenantId }, Infinity); // it took too long
    throw error;
  });
  const byStart = new Map(rows.map(({ start, read: _, ...counts }) => [start.getTime(), counts]));
  const sum = (name: keyof OverviewCounts | 'read') => rows.reduce((total, row) => total + row[name], 0);
  quarters.seen({ tenantId }, sum('read'));
  return {
    from,
    to,
    bucket,
    total: { started: sum('started'), completed: sum('completed'), screenedOut: sum('screenedOut') },
    buckets: startsOf(period).map((start) => ({ start, ...(byStart.get(start.getTime()) ?? none) })),
  };
}
