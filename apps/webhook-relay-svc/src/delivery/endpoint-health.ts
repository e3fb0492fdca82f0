import type { Outcome } from './outcome';

/** What the relay remembers of how an endpoint does. */
export interface Health {
  /** Deliveries it may be sent at once. */
  slots: number;
  /** In a row. */
  failures: number;
}

/**
 * What one attempt says about its endpoint; null: nothing, the answer was about the message (400, a redirect,
 * …).
 */
export type Sign = 'well' | 'unwell' | null;

export interface BreakerSettings {
  /** Failures in a row after which the endpoint is paused. */
  failures: number;
  pauseSeconds: number;
  maxPauseSeconds: number;
}

const unwellOutcomes: ReadonlySet<Outcome> = new Set([
  'http_5xx',
  'timeout',
  'dns_error',
  'connection_refused',
  'connection_failed',
  'connection_reset',
  'tls_error',
  'protocol_error',
]);
const tooManyRequests = 429;
const spread = 0.2;

export function signOf(outcome: Outcome, statusCode: number | null): Sign {
  if (outcome === 'success') return 'well';
  return unwellOutcomes.has(outcome) || statusCode === tooManyRequests ? 'unwell' : null;
}

const gone = 410;

/**
 * Whether an attempt without a sign is still the endpoint's failure: not if we could not open its secrets,
 * nor a 410, which disables by itself.
 */
export const isRefusal = (outcome: Outcome, statusCode: number | null): boolean =>
  outcome !== 'secret_unreadable' && statusCode !== gone;

/**
 * The state after an attempt. Trouble halves what the endpoint is sent at once, each success gives one back.
 * After enough failures in a row it is paused, twice as long each time; then a single delivery tries whether
 * it is well again.
 *
 * @param retryAfterMs what the receiver asked for; lengthens the pause up to its maximum, and begins one
 */
export function healthAfter(
  before: Health,
  sign: 'well' | 'unwell',
  { maxInFlight, retryAfterMs }: { maxInFlight: number; retryAfterMs: number | null },
  breaker: BreakerSettings,
  random: () => number = Math.random,
): Health & { pauseMs: number | null } {
  if (sign === 'well') return { slots: Math.min(maxInFlight, before.slots + 1), failures: 0, pauseMs: null };
  const failures = before.failures + 1;
  const most = breaker.maxPauseSeconds * 1000;
  const beyond = failures - breaker.failures;
  const own = beyond < 0 ? 0 : breaker.pauseSeconds * 1000 * 2 ** Math.min(beyond, 20);
  // What the receiver asked for is not spread: it would be sent something sooner.
  const pauseMs = Math.max(Math.min(most, own) * (1 - spread * random()), Math.min(most, retryAfterMs ?? 0));
  return {
    slots: beyond < 0 ? Math.max(1, Math.floor(before.slots / 2)) : 1,
    failures,
    pauseMs: pauseMs > 0 ? pauseMs : null,
  };
}

/** What others are told of an endpoint. */
export type News = 'failing' | 'disabled' | 'recovered';

/**
 * What an attempt makes of an endpoint that others do not know yet, if anything. A pause is told of once,
 * however often it is prolonged; of a disabled endpoint there is no news until somebody enables it.
 *
 * @param failures in a row, with this attempt
 */
export function newsOf(
  before: { is_disabled: boolean; reported_failing: boolean; failing_seconds: number | null },
  sign: 'well' | 'unwell',
  failures: number,
  settings: { breaker: Pick<BreakerSettings, 'failures'>; disableAfterSeconds: number },
): News | null {
  if (before.is_disabled) return null;
  if (sign === 'well') return before.reported_failing ? 'recovered' : null;
  if ((before.failing_seconds ?? 0) > settings.disableAfterSeconds) return 'disabled';
  return failures >= settings.breaker.failures && !before.reported_failing ? 'failing' : null;
}
