/** One submission's way: when its completion was acknowledged and when its webhook arrived, ms since 1970. */
export interface Passage {
  id: string;
  /** Null for those that the idle writer completed: nobody acknowledged them. */
  acknowledgedAt: number | null;
  deliveredAt: number | null;
}

/** A stretch of time, ms since 1970. */
export interface Span {
  from: number;
  to: number;
}

export interface Throughput {
  acknowledgedPerSecond: number;
  deliveredPerSecond: number;
  /** Milliseconds from acknowledgement to delivery of what was acknowledged in the span. */
  p50: number;
  p99: number;
}

/** What came through in a span. */
export function throughputIn(passages: readonly Passage[], { from, to }: Span): Throughput {
  const seconds = (to - from) / 1000;
  const within = (at: number | null) => at !== null && at >= from && at < to;
  const acknowledged = passages.filter(({ acknowledgedAt }) => within(acknowledgedAt));
  const delivered = passages.filter(({ deliveredAt }) => within(deliveredAt));
  const latencies = acknowledged
    .map(({ acknowledgedAt, deliveredAt }) =>
      // A webhook may arrive before the API's answer.
      deliveredAt === null ? Infinity : Math.max(0, deliveredAt - acknowledgedAt!),
    )
    .sort((a, b) => a - b);
  const percentile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Infinity;
  return {
    acknowledgedPerSecond: acknowledged.length / seconds,
    deliveredPerSecond: delivered.length / seconds,
    p50: percentile(0.5),
    p99: percentile(0.99),
  };
}

/** The span in so many parts of one length. */
export function partsOf({ from, to }: Span, count: number): Span[] {
  const length = (to - from) / count;
  return Array.from({ length: count }, (_, n) => ({ from: from + n * length, to: from + (n + 1) * length }));
}

/**
 * Milliseconds from `at` until everything that had been acknowledged by then, and `own`, was delivered; null when some of
 * it never was.
 */
export function backlogGoneAfter(
  passages: readonly Passage[],
  at: number,
  own: readonly string[],
): number | null {
  const waiting = passages.filter(
    ({ id, acknowledgedAt }) => (acknowledgedAt !== null && acknowledgedAt < at) || own.includes(id),
  );
  const known = new Set(waiting.map(({ id }) => id));
  if (own.some((id) => !known.has(id)) || waiting.some(({ deliveredAt }) => deliveredAt === null))
    return null;
  // Too many for the arguments of one call of Math.max.
  return waiting.reduce((longest, { deliveredAt }) => Math.max(longest, deliveredAt! - at), 0);
}
