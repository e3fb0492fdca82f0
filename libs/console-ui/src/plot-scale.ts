export interface PlotSeries {
  name: string;
  /** One value per bucket; null if it is not known. */
  values: readonly (number | null)[];
  tone?: 'accent' | 'soft' | 'plain' | 'good' | 'warn' | 'bad';
  /** Returns whether the series after it are parts of it, and stand before it. Others stand on each other. */
  isBehind?: boolean;
}

/** The bars of each series as a path, one unit wide per bucket, and the end of their scale. */
export function barsOf(series: readonly PlotSeries[]): { paths: string[]; most: number } {
  const feet: number[] = [];
  let highest = 0;
  const paths = series.map(({ values, isBehind = false }) => {
    const inset = isBehind ? 0.1 : 0.2;
    const bars = values.map((value, bucket) => {
      if (value === null || value === 0) return '';
      const foot = isBehind ? 0 : (feet[bucket] ?? 0);
      const top = foot + value;
      if (!isBehind) feet[bucket] = top;
      highest = Math.max(highest, top);
      return `M${bucket + inset} ${foot}V${top}H${bucket + 1 - inset}V${foot}Z`;
    });
    return bars.join('');
  });
  return { paths, most: niceMaximum(highest) };
}

/** The end of a scale: 1, 2, 4, 6 or 8 times a power of ten, at least 2. Its half is an integer. */
export function niceMaximum(highest: number): number {
  if (highest <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(highest));
  return ([1, 2, 4, 6, 8].find((step) => step * power >= highest) ?? 10) * power;
}

/** Returns whether the buckets are days: each is named as one, and does not end on the next. */
export const areDays = ([first, second]: readonly string[]): boolean =>
  second !== undefined && Date.parse(second) - Date.parse(first!) >= 86_400_000;

/** The starts of the buckets, and the end of the last one. */
export function edgesOf(buckets: readonly string[]): string[] {
  const [first, second] = buckets;
  if (first === undefined) return [];
  const length = second === undefined ? 60_000 : Date.parse(second) - Date.parse(first);
  return [...buckets, new Date(Date.parse(buckets.at(-1)!) + length).toISOString()];
}
