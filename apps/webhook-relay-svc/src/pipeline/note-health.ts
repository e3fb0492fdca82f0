import type { Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import type { Claimed } from './leases';
import type { DeliveryMetrics } from './delivery-metrics';
import {
  healthAfter,
  healthEventOf,
  isRefusal,
  signalOf,
  type BreakerSettings,
  type HealthEvent,
} from './endpoint-health';
import {
  disableFailing,
  disableUnsuccessful,
  lockHealth,
  reportFailing,
  reportRecovered,
  saveHealth,
} from './endpoint-health.sql';
import type { Attempt } from './record';
import { retryAfterMs } from './schedule';

export interface HealthNotes {
  /**
   * Called with each attempt before its lease ends, so that the next claim sees it. A success of a healthy
   * endpoint costs nothing.
   */
  note(delivery: Claimed, attempt: Pick<Attempt, 'result' | 'traceparent'>): Promise<void>;
}

export interface HealthSettings {
  breaker: BreakerSettings;
  /** An endpoint without a success for this long is disabled. */
  disableAfterSeconds: number;
}

/** Changes an endpoint and publishes the event. */
const statementFor = {
  failing: reportFailing,
  disabled: disableFailing,
  recovered: reportRecovered,
} satisfies Record<HealthEvent, unknown>;

/**
 * Stores the health of endpoints for all replicas and publishes its changes in the same transaction. A
 * fault of the database is only logged: the next attempt changes the health again.
 */
export function createHealthNotes(
  db: Database,
  settings: HealthSettings,
  metrics: Pick<DeliveryMetrics, 'breakerOpened'>,
  logger: Logger,
): HealthNotes {
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
      if (event !== null) await tx.query(statementFor[event]({ tenantId, endpointId, traceparent }));
      if (signal === 'failure' && failures === settings.breaker.failures)
        tx.afterCommit(() => metrics.breakerOpened());
      if (event === 'disabled') tx.afterCommit(() => logDisabled(tenantId, endpointId));
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
    async note(delivery, { result: { outcome, statusCode, retryAfter, date }, traceparent }) {
      const signal = signalOf(outcome, statusCode);
      if (signal === 'success' && !delivery.isDegraded) return;
      if (signal === null && !isRefusal(outcome, statusCode)) return;
      const noting =
        signal === null
          ? disableIfLong(delivery, traceparent)
          : save(delivery, signal, retryAfterMs(retryAfter, date), traceparent);
      await noting.catch((error: unknown) => logger.warn({ error }, 'failed to update endpoint health'));
    },
  };
}
