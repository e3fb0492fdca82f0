import type { Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import type { DeliveryMetrics } from './delivery-metrics';
import {
  disableUnsuccessful,
  lockHealth,
  reportFailing,
  reportRecovered,
  saveHealth,
} from './endpoint-health.sql';
import type { Claimed } from './leases';
import { isOwnFault, type Outcome } from './outcome';
import type { Attempt } from './record';

/** The health of an endpoint as far as attempts change it. */
interface Health {
  /** Deliveries it may be sent at once. */
  slots: number;
  /** Failures in a row. */
  failures: number;
}

/**
 * The fact that one attempt shows about its endpoint; null: nothing, the answer was about the message (400, a
 * redirect, …).
 */
type Signal = 'success' | 'failure' | null;

interface BreakerSettings {
  /** Failures in a row after which the endpoint is paused. */
  failures: number;
  pauseSeconds: number;
  maxPauseSeconds: number;
}

const failureOutcomes: ReadonlySet<Outcome> = new Set([
  'http_5xx',
  'timeout',
  'dns_error',
  'connection_refused',
  'connection_failed',
  'connection_reset',
  'tls_error',
  'protocol_error',
  'token_error',
]);
const tooManyRequests = 429;
const spread = 0.2;

export function signalOf(outcome: Outcome, statusCode: number | null): Signal {
  if (outcome === 'success') return 'success';
  return failureOutcomes.has(outcome) || statusCode === tooManyRequests ? 'failure' : null;
}

const gone = 410;

/**
 * Returns whether an attempt without a signal is a failure of the endpoint: not if its secrets could not be
 * opened or the proxy failed, and not a 410, which disables the endpoint anyway.
 */
const isRefusal = (outcome: Outcome, statusCode: number | null): boolean =>
  outcome !== 'secret_unreadable' && !isOwnFault(outcome) && statusCode !== gone;

/**
 * The state after an attempt. A failure halves the slots, each success adds one. After enough consecutive
 * failures the circuit opens, twice as long each time; then a single delivery tests the endpoint.
 *
 * @param retryAfterMs what the receiver asked for; lengthens the pause up to its maximum, and starts one
 */
export function healthAfter(
  before: Health,
  signal: 'success' | 'failure',
  { maxInFlight, retryAfterMs }: { maxInFlight: number; retryAfterMs: number | null },
  breaker: BreakerSettings,
  random: () => number = Math.random,
): Health & { pauseMs: number | null } {
  if (signal === 'success')
    return { slots: Math.min(maxInFlight, before.slots + 1), failures: 0, pauseMs: null };
  const failures = before.failures + 1;
  const maxMs = breaker.maxPauseSeconds * 1000;
  const beyond = failures - breaker.failures;
  const own = beyond < 0 ? 0 : breaker.pauseSeconds * 1000 * 2 ** Math.min(beyond, 20);
  // What the receiver asked for gets no jitter: a send before that time would be too early.
  const pauseMs = Math.max(
    Math.min(maxMs, own) * (1 - spread * random()),
    Math.min(maxMs, retryAfterMs ?? 0),
  );
  return {
    slots: beyond < 0 ? Math.max(1, Math.floor(before.slots / 2)) : 1,
    failures,
    pauseMs: pauseMs > 0 ? pauseMs : null,
  };
}

/**
 * The event that an attempt causes, if any. An open circuit is reported once, however often it is
 * prolonged. A disabled endpoint causes no event until it is enabled.
 *
 * @param failures in a row, with this attempt
 */
export function healthEventOf(
  before: { is_disabled: boolean; reported_failing: boolean; failing_seconds: number | null },
  signal: 'success' | 'failure',
  failures: number,
  settings: { breaker: Pick<BreakerSettings, 'failures'>; disableAfterSeconds: number },
): 'failing' | 'disabled' | 'recovered' | null {
  if (before.is_disabled) return null;
  if (signal === 'success') return before.reported_failing ? 'recovered' : null;
  if ((before.failing_seconds ?? 0) > settings.disableAfterSeconds) return 'disabled';
  return failures >= settings.breaker.failures && !before.reported_failing ? 'failing' : null;
}

export type HealthNotes = ReturnType<typeof createHealthNotes>;

interface HealthSettings {
  breaker: BreakerSettings;
  /** An endpoint without a success for this long is disabled. */
  disableAfterSeconds: number;
}

/**
 * Stores the health of endpoints for all replicas and publishes its changes in the same transaction. A
 * fault of the database is only logged: the next attempt changes the health again.
 */
export function createHealthNotes(
  db: Database,
  settings: HealthSettings,
  metrics: Pick<DeliveryMetrics, 'breakerOpened'>,
  logger: Logger,
) {
  async function save(
    { tenantId, endpointId }: Claimed,
    signal: 'success' | 'failure',
    askedMs: number | null,
    traceparent: string | null,
  ) {
    return db.transaction(async (tx) => {
      const [row] = await tx.query(lockHealth({ tenantId, endpointId }));
      if (!row) return;
      const limits = { maxInFlight: row.max_in_flight, retryAfterMs: askedMs };
      const { slots, failures, pauseMs } = healthAfter(row, signal, limits, settings.breaker);
      await tx.query(saveHealth({ tenantId, endpointId, slots, failures, pauseMs }));
      const event = healthEventOf(row, signal, failures, settings);
      const changed = { tenantId, endpointId, traceparent };
      if (event === 'failing') await tx.query(reportFailing(changed));
      if (event === 'recovered') await tx.query(reportRecovered(changed));
      if (event === 'disabled') {
        await tx.query(disableUnsuccessful({ ...changed, seconds: settings.disableAfterSeconds }));
        tx.afterCommit(() => logDisabled(tenantId, endpointId));
      }
      if (signal === 'failure' && failures === settings.breaker.failures)
        tx.afterCommit(() => metrics.breakerOpened());
    });
  }

  /** An answer about the message does not slow its endpoint down, but is no success either. */
  async function disableIfLong({ tenantId, endpointId }: Claimed, traceparent: string | null) {
    const seconds = settings.disableAfterSeconds;
    const disabled = await db.query(disableUnsuccessful({ tenantId, endpointId, traceparent, seconds }));
    if (disabled.length > 0) logDisabled(tenantId, endpointId);
  }

  const logDisabled = (tenantId: string, endpointId: string) =>
    logger.warn({ tenantId, endpointId }, 'endpoint disabled after a long failure');

  return {
    /**
     * Called with each attempt before its lease ends, so that the next claim sees it. A success of a healthy
     * endpoint costs nothing.
     */
    async note(delivery: Claimed, { result, traceparent }: Pick<Attempt, 'result' | 'traceparent'>) {
      const { outcome, statusCode, retryAfterMs } = result;
      const signal = signalOf(outcome, statusCode);
      if (signal === 'success' && !delivery.isDegraded) return;
      if (signal === null && !isRefusal(outcome, statusCode)) return;
      const noting =
        signal === null
          ? disableIfLong(delivery, traceparent)
          : save(delivery, signal, retryAfterMs, traceparent);
      await noting.catch((error: unknown) => logger.warn({ error }, 'failed to update endpoint health'));
    },
  };
}
