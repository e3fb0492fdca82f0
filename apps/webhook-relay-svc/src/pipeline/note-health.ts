import type { Database, Queryable } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import type { Claimed } from './leases';
import type { DeliveryMetrics } from './delivery-metrics';
import { healthAfter, healthEventOf, isRefusal, signalOf, type BreakerSettings } from './endpoint-health';
import {
  disableUnsuccessful,
  lockHealth,
  reportFailing,
  reportRecovered,
  saveHealth,
} from './endpoint-health.sql';
import type { Attempt } from './record';
import { retryAfterMs } from './schedule';

export type HealthNotes = ReturnType<typeof createHealthNotes>;

export interface HealthSettings {
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
      if (event === 'disabled') await disable(tx, changed);
      if (signal === 'failure' && failures === settings.breaker.failures)
        tx.afterCommit(() => metrics.breakerOpened());
    });
  }

  async function disable(
    on: Queryable,
    endpoint: { tenantId: string; endpointId: string; traceparent: string | null },
  ) {
    const seconds = settings.disableAfterSeconds;
    const disabled = await on.query(disableUnsuccessful({ ...endpoint, seconds }));
    const { tenantId, endpointId } = endpoint;
    if (disabled.length > 0) logger.warn({ tenantId, endpointId }, 'endpoint disabled after a long failure');
  }

  return {
    /**
     * Called with each attempt before its lease ends, so that the next claim sees it. A success of a healthy
     * endpoint costs nothing. An answer about the message does not slow its endpoint down, but is no success
     * either.
     */
    async note(delivery: Claimed, { result, traceparent }: Pick<Attempt, 'result' | 'traceparent'>) {
      const { outcome, statusCode, retryAfter, date } = result;
      const { tenantId, endpointId } = delivery;
      const signal = signalOf(outcome, statusCode);
      if (signal === 'success' && !delivery.isDegraded) return;
      if (signal === null && !isRefusal(outcome, statusCode)) return;
      const noting =
        signal === null
          ? disable(db, { tenantId, endpointId, traceparent })
          : save(delivery, signal, retryAfterMs(retryAfter, date), traceparent);
      await noting.catch((error: unknown) => logger.warn({ error }, 'failed to update endpoint health'));
    },
  };
}
