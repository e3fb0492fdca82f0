type Values = readonly (number | null)[];

/** The end of the scale: 1, 2, 4, 6 or 8 times a power of ten, at least 2. Its half is an integer. */
export function niceMaximum(values: Values): number {
  const most = values.reduce<number>((highest, value) => Math.max(highest, value ?? 0), 0);
  if (most <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 4, 6, 8].find((step) => step * power >= most) ?? 10) * power;
}

/** The starts of the buckets, and the end of the last one. */
export function edgesOf(buckets: readonly string[]): string[] {
  const [first, second] = buckets;
  if (first === undefined) return [];
  const length = second === undefined ? 60_000 : Date.parse(second) - Date.parse(first);
  return [...buckets, new Date(Date.parse(buckets.at(-1)!) + length).toISOString()];
}

const heightOf = (value: number, most: number): string => (100 - (100 * value) / most).toFixed(2);

/** The path of a line of steps, one unit per bucket, 100 units high. Without a value there is a gap. */
export function lineOf(values: Values, most: number): string {
  let isDrawing = false;
  return values
    .map((value, bucket) => {
      if (value === null) {
        isDrawing = false;
        return '';
      }
      const start = isDrawing ? `V${heightOf(value, most)}` : `M${bucket} ${heightOf(value, most)}`;
      isDrawing = true;
      return `${start}H${bucket + 1}`;
    })
    .join('');
}

/** What the parts of each bucket are together. */
export const sumsOf = (parts: readonly Values[]): number[] =>
  (parts[0] ?? []).map((_, bucket) => parts.reduce((sum, values) => sum + (values[bucket] ?? 0), 0));

/** The paths of bars, as wide and high as `lineOf`: stacked, or all but the first one stacked before it. */
export function barsOf(series: readonly Values[], isFirstBehind: boolean, most: number): string[] {
  const feet: number[] = [];
  return series.map((values, index) => {
    const isBehind = isFirstBehind && index === 0;
    const bars = values.map((value, bucket) => {
      if (value === null || value === 0) return '';
      const [foot, inset] = isBehind ? [0, 0.1] : [feet[bucket] ?? 0, 0.2];
      if (!isBehind) feet[bucket] = foot + value;
      const [low, high] = [heightOf(foot, most), heightOf(foot + value, most)];
      return `M${bucket + inset} ${low}V${high}H${bucket + 1 - inset}V${low}Z`;
    });
    return bars.join('');
  });
}
