import { readBounded, type Database } from '@canvass/postgres';
import { startsOf, type Bucket, type Period } from '@canvass/service-kit';
import { millisecondsOf, phaseNames, type Phase } from './cells.sql';
import { findStats, type StatsFilter, type StatsRow } from './stats.sql';

/** Milliseconds. */
export interface Percentiles {
  p50: number;
  p95: number;
  p99: number;
}

export interface Stats {
  attempts: number;
  outcomes: Record<string, number>;
  delivered: number;
  dead: number;
  /** Null if no attempt had the phase. */
  milliseconds: Record<Phase, Percentiles | null>;
}

export type BucketStats = { start: Date } & Stats;

export interface WebhookStats {
  from: Date;
  to: Date;
  bucket: Bucket;
  total: Stats;
  buckets: BucketStats[];
}

/**
 * Statistics of the attempts that started in a period.
 *
 * @throws {Problem} `query_too_broad` after 5 s
 */
export async function readStats(db: Database, filter: StatsFilter, period: Period): Promise<WebhookStats> {
  const { from, to, bucket, seconds } = period;
  const rows = await readBounded(db, 'Filter by endpointId, or choose a longer bucket.', (tx) =>
    tx.query(findStats({ ...filter, bucket, seconds, from, to })),
  );
  const byStart = new Map(rows.map((row) => [row.start?.getTime() ?? null, row]));
  return {
    from,
    to,
    bucket,
    total: statsOf(byStart.get(null)),
    buckets: startsOf(period).map((start) => ({ start, ...statsOf(byStart.get(start.getTime())) })),
  };
}

const statsOf = ({ outcomes = {}, delivered = 0, dead = 0, percentiles }: Partial<StatsRow> = {}): Stats => ({
  attempts: Object.values(outcomes).reduce((sum, number) => sum + number, 0),
  outcomes,
  delivered,
  dead,
  milliseconds: millisecondsByPhase(percentiles ?? []),
});

function millisecondsByPhase(
  percentiles: NonNullable<StatsRow['percentiles']>,
): Record<Phase, Percentiles | null> {
  const found = new Map(
    percentiles.map(([phase, ...found]) => {
      const [p50, p95, p99] = found.map(millisecondsOf) as [number, number, number];
      return [phase, { p50, p95, p99 }];
    }),
  );
  return Object.fromEntries(phaseNames.map((name, n) => [name, found.get(n + 1) ?? null])) as Record<
    Phase,
    Percentiles | null
  >;
}
