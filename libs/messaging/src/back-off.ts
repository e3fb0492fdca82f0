/**
 * Milliseconds to wait after the n-th failure in a row (from 0): 100 ms, doubling up to `maxMs` (30 s),
 * minus a random part of up to a half.
 */
export function backOff(failures: number, maxMs = 30_000): number {
  return Math.min(maxMs, 100 * 2 ** Math.min(failures, 16)) * (0.5 + Math.random() / 2);
}
