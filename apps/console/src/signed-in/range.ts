import { dayBefore } from './zoned-time';

type Bucket = '1m' | '5m' | '1h' | '1d';

const minute = 60_000;
const lengths: Readonly<Record<Bucket, number>> = {
  '1m': minute,
  '5m': 5 * minute,
  '1h': 60 * minute,
  '1d': 1440 * minute,
};

/** The ranges up to now, days with today, and the bucket of their plots: at most 720 of them. */
const ranges = {
  '1h': { span: 60 * minute, bucket: '1m' },
  '6h': { span: 360 * minute, bucket: '5m' },
  '24h': { span: 1440 * minute, bucket: '5m' },
  '7d': { span: 7 * 1440 * minute, bucket: '1h' },
  '30d': { span: 30 * 1440 * minute, bucket: '1h' },
} as const satisfies Record<string, { span: number; bucket: Bucket }>;

export type RangeName = keyof typeof ranges;
export const rangeNames = Object.keys(ranges) as RangeName[];

/** A range as the API takes it. */
interface RangeQuery {
  from: string;
  to?: string;
  bucket: Bucket;
}

export interface Range {
  /** Null for a range that was chosen in a plot. */
  name: RangeName | null;
  /** The same text for the same range. */
  key: string;
  /** Milliseconds between two readings. */
  refresh: number;
  /** Returns the query to send now. */
  query(): RangeQuery;
}

const isRangeName = (name: string | null): name is RangeName => name !== null && Object.hasOwn(ranges, name);
const isTime = (text: string | null): text is string => text !== null && !Number.isNaN(Date.parse(text));

/**
 * The range that the URL names, by default the last seven days.
 *
 * @param now milliseconds; minutes are kept for three days
 * @param zone the one whose days are counted
 */
export function rangeOf(search: URLSearchParams, now: number, zone: string): Range {
  const [from, to, name] = ['from', 'to', 'range'].map((own) => search.get(own));
  if (isTime(from!) && isTime(to!) && Date.parse(from) < Date.parse(to)) {
    const span = Date.parse(to) - Date.parse(from);
    const hasMinutes = now - Date.parse(from) < 2 * lengths['1d'];
    const bucket = (Object.keys(lengths) as Bucket[]).find(
      (own) => (hasMinutes || lengths[own] >= lengths['1h']) && span / lengths[own] <= 360,
    );
    return {
      name: null,
      key: `${from} ${to}`,
      refresh: minute,
      query: () => ({ from, to, bucket: bucket ?? '1d' }),
    };
  }
  const chosen = isRangeName(name!) ? name : '7d';
  const { span, bucket } = ranges[chosen];
  return {
    name: chosen,
    key: chosen,
    refresh: span > lengths['1d'] ? minute : minute / 4,
    query() {
      // The bucket of now has begun: it is one of the range. So is today, which may have 25 hours.
      const days = span / lengths['1d'];
      const first = days > 1 ? Date.parse(dayBefore(days - 1, zone, Date.now())) : 0;
      const from = Math.max(first, Date.now() - span + lengths[bucket]);
      return { from: new Date(from).toISOString(), bucket };
    },
  };
}
