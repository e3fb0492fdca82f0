import type { Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import type { Claimed } from './claim';
import type { DeliveryMetrics } from './delivery-metrics';
import { healthAfter, signOf, type BreakerSettings } from './endpoint-health';
import { lockHealth, saveHealth, type HealthRow } from './endpoint-health.sql';
import { retryAfterMs } from './schedule';
import type { SendResult } from './sender';

export interface HealthNotes {
  /** Told of each attempt before its lease is given back, so that the next claim knows. Costs nothing while all is well. */
  note(delivery: Claimed, result: SendResult): Promise<void>;
}

export interface HealthSettings {
  breaker: BreakerSettings;
  /** An endpoint without a success for this long is disabled. */
  disableAfterSeconds: number;
}

/** Keeps what attempts say about their endpoints, for all copies. A fault of the database is only logged: it costs a hint. */
export function createHealthNotes(
  db: Database,
  settings: HealthSettings,
  metrics: Pick<DeliveryMetrics, 'breakerOpened'>,
  logger: Logger,
): HealthNotes {
  async function save({ tenantId, endpointId }: Claimed, sign: 'well' | 'unwell', askedMs: number | null) {
    return db.transaction(async (tx) => {
      const [row] = await tx.query<HealthRow>(lockHealth, [tenantId, endpointId]);
      if (!row) return;
      const limits = { maxInFlight: row.max_in_flight, retryAfterMs: askedMs };
      const { slots, failures, pauseMs } = healthAfter(row, sign, limits, settings.breaker);
      const disables = sign === 'unwell' && (row.failing_seconds ?? 0) > settings.disableAfterSeconds;
      await tx.query(saveHealth, [tenantId, endpointId, slots, failures, pauseMs, disables]);
      if (sign === 'unwell' && failures === settings.breaker.failures)
        tx.afterCommit(() => metrics.breakerOpened());
      if (disables)
        tx.afterCommit(() =>
          logger.warn({ tenantId, endpointId }, 'an endpoint that failed for too long is disabled'),
        );
    });
  }

  return {
    async note(delivery, { outcome, statusCode, retryAfter, date }) {
      const sign = signOf(outcome, statusCode);
      if (sign === null || (sign === 'well' && !delivery.isAiling)) return;
      await save(delivery, sign, retryAfterMs(retryAfter, date)).catch((error: unknown) =>
        logger.warn({ error }, 'how an endpoint does could not be noted'),
      );
    },
  };
}
