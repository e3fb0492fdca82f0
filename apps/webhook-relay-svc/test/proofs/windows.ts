/** The most of `times` (milliseconds, any order) that lie in any window of a second, both ends included. */
export function worstWindow(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  let worst = 0;
  for (let first = 0, last = 0; last < sorted.length; last += 1) {
    while (sorted[last]! - sorted[first]! > 1_000) first += 1;
    worst = Math.max(worst, last - first + 1);
  }
  return worst;
}
