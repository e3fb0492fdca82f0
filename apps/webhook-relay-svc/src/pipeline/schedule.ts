/** The next step of a delivery whose attempt failed. */
export type NextTry = { kind: 'retry'; afterMs: number } | { kind: 'dead' };

const jitter = 0.2;
const maxRetryAfterMs = 24 * 3_600_000;

/**
 * The wait before the next try, ±20 % so that the deliveries of an endpoint that was down do not come back at
 * once.
 *
 * @param failures failed attempts since the delivery was made or resent, this one included
 * @param scheduleSeconds wait after the first, second, … failure; when it is used up the delivery is dead
 * @param retryAfterMs what the receiver asked for, obeyed up to 24 h; never shortens the schedule
 */
export function nextTry(
  failures: number,
  scheduleSeconds: readonly number[],
  retryAfterMs: number | null,
  random: () => number = Math.random,
): NextTry {
  const seconds = scheduleSeconds[failures - 1];
  if (seconds === undefined) return { kind: 'dead' };
  const waitMs = seconds * 1000 * (1 - jitter + 2 * jitter * random());
  return { kind: 'retry', afterMs: Math.max(waitMs, Math.min(retryAfterMs ?? 0, maxRetryAfterMs)) };
}

const firstOwnFaultMs = 1_000;
const maxOwnFaultMs = 30_000;

/**
 * The wait after an attempt that failed by a fault of ours, such as one of the proxy: doubled by each
 * attempt of the delivery, up to 30 s, and half of it random.
 *
 * @param attempts of the delivery, this one included
 */
export const retryOwnFaultMs = (attempts: number, random: () => number = Math.random): number =>
  Math.min(maxOwnFaultMs, firstOwnFaultMs * 2 ** attempts) * (0.5 + 0.5 * random());

/**
 * Milliseconds of a `Retry-After` header (RFC 9110, section 10.2.3): seconds or an HTTP date. A date is
 * measured against the answer's own `Date`, so that the receiver's clock need not agree with ours. Null for
 * what cannot be read or is past.
 */
export function retryAfterMs(retryAfter: string | undefined, date: string | undefined): number | null {
  const text = retryAfter?.trim();
  if (!text) return null;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const until = Date.parse(text);
  const answered = Date.parse(date ?? '');
  const from = Number.isNaN(answered) ? Date.now() : answered;
  return until > from ? until - from : null;
}
