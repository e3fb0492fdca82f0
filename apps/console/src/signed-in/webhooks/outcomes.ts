type Counts = Readonly<Record<string, number>>;

/** What has one colour in the plot. */
export interface OutcomeSeries {
  /** An outcome of attempts, or `''` for all further ones together. */
  outcome: string;
  count: number;
  /** Values by bucket. */
  values: number[];
}

/** More colours look alike. */
const maxSeries = 5;

/**
 * Attempts by outcome over time, the most frequent first. Their sum is that of all attempts.
 *
 * @param total of the whole range
 */
export function outcomesOf(total: object, buckets: readonly { outcomes: object }[]): OutcomeSeries[] {
  const sorted = Object.entries(total as Counts).sort(([, a], [, b]) => b - a);
  const named = sorted.length > maxSeries ? sorted.slice(0, maxSeries - 1) : sorted;
  const valuesOf = (names: readonly string[]) =>
    buckets.map(({ outcomes }) => names.reduce((sum, name) => sum + ((outcomes as Counts)[name] ?? 0), 0));
  const series = named.map(([outcome, count]) => ({ outcome, count, values: valuesOf([outcome]) }));
  const others = sorted.slice(named.length);
  if (others.length === 0) return series;
  const count = others.reduce((sum, [, own]) => sum + own, 0);
  return [...series, { outcome: '', count, values: valuesOf(others.map(([name]) => name)) }];
}
