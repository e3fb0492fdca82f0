import { readBounded, type Database } from '@canvass/postgres';
import { startsOf, type Bucket, type Period } from '@canvass/service-kit';
import { countByBucket, type OverviewCounts } from './overview.sql';

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

const none: OverviewCounts = { started: 0, completed: 0, screenedOut: 0 };

/** Counts the submissions of a period. @throws {Problem} `query_too_broad` after 5 s */
export async function readOverview(
  db: Database,
  tenantId: string,
  period: Period,
): Promise<SubmissionOverview> {
  const { from, to, bucket, seconds } = period;
  const rows = await readBounded(db, 'Choose a shorter range with from and to.', (tx) =>
    tx.query(countByBucket({ tenantId, from, to, seconds })),
  );
  const byStart = new Map(rows.map(({ start, ...counts }) => [start.getTime(), counts]));
  const sum = (name: keyof OverviewCounts) => rows.reduce((total, row) => total + row[name], 0);
  return {
    from,
    to,
    bucket,
    total: { started: sum('started'), completed: sum('completed'), screenedOut: sum('screenedOut') },
    buckets: startsOf(period).map((start) => ({ start, ...(byStart.get(start.getTime()) ?? none) })),
  };
}
