/**
 * The value that `share` of the sample does not exceed (nearest rank): `percentile(x, 0.5)` is the median
 * of an odd number of values. NaN for an empty sample.
 */
export function percentile(sample: ArrayLike<number>, share: number): number {
  if (sample.length === 0) return Number.NaN;
  const sorted = Float64Array.from(sample).sort();
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}

/** The middle of the sample, between the two middle values of an even number. NaN for an empty one. */
export function median(sample: ArrayLike<number>): number {
  const sorted = Float64Array.from(sample).sort();
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}

/**
 * The ratio of the first to the second: the median over the rounds of the ratio within the round. Variants
 * of one round ran seconds apart, so what slows the machine for a while slows both.
 */
export function pairedRatio(first: readonly number[], second: readonly number[]): number {
  const rounds = Math.min(first.length, second.length);
  return median(Array.from({ length: rounds }, (_, round) => first[round]! / second[round]!));
}
