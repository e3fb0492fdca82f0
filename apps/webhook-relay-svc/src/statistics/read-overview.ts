import { readBounded, type Database } from '@canvass/postgres';
import { startsOf, type Bucket, type Period } from '@canvass/service-kit';
import { countAttempts, findTrouble, type EndpointTrouble, type OverviewRow } from './overview.sql';
import { readBacklog, type BacklogTotals } from './read-backlog';

/** Endpoints in trouble of an answer at most. */
export const maxTroubled = 3;

interface Counts {
  attempts: number;
  failed: number;
  delivered: number;
  dead: number;
}

export type OverviewBucket = { start: Date } & Counts;

export interface WebhookOverview {
  from: Date;
  to: Date;
  bucket: Bucket;
  /** Failed attempts of all; null without attempts. */
  total: Counts & { failedShare: number | null };
  buckets: OverviewBucket[];
  backlog: BacklogTotals;
  troubled: EndpointTrouble[];
}

const none: Counts = { attempts: 0, failed: 0, delivered: 0, dead: 0 };

/**
 * Numbers of one period, what waits now, and the endpoints in most trouble.
 *
 * @throws {Problem} `query_too_broad`
 */
export async function readOverview(db: Database, tenantId: string, period: Period): Promise<WebhookOverview> {
  const { from, to, bucket, seconds } = period;
  const params = { tenantId, endpointId: null, eventName: null, formId: null, bucket, seconds, from, to };
  const { rows, troubled } = await readBounded(
    db,
    'Choose a longer bucket or a shorter range.',
    async (tx) => ({
      rows: await tx.query(countAttempts(params)),
      troubled: await tx.query(findTrouble({ ...params, max: maxTroubled })),
    }),
  );
  const byStart = new Map(rows.map(({ start, ...counts }) => [start!.getTime(), counts]));
  const total = rows.reduce(plus, none);
  const { endpoints: _, ...backlog } = await readBacklog(db, tenantId);
  return {
    from,
    to,
    bucket,
    total: { ...total, failedShare: total.attempts === 0 ? null : total.failed / total.attempts },
    buckets: startsOf(period).map((start) => ({ start, ...(byStart.get(start.getTime()) ?? none) })),
    backlog,
    troubled,
  };
}

const plus = (sum: Counts, row: OverviewRow): Counts => ({
  attempts: sum.attempts + row.attempts,
  failed: sum.failed + row.failed,
  delivered: sum.delivered + row.delivered,
  dead: sum.dead + row.dead,
});
