import type { Database } from '@canvass/postgres';
import type { Logger } from '@canvass/service-kit';
import type { Claimed } from './claim';
import type { DeliveryMetrics } from './delivery-metrics';
import { healthAfter, isRefusal, newsOf, signOf, type BreakerSettings, type News } from './endpoint-health';
import {
  disableFailing,
  disableUnsuccessful,
  lockHealth,
  reportFailing,
  reportRecovered,
  saveHealth,
  type HealthRow,
} from './endpoint-health.sql';
import type { Attempt } from './record';
import { retryAfterMs } from './schedule';

export interface HealthNotes {
  /**
   * Told of each attempt before its lease is given back, so that the next claim knows. Costs nothing while
   * all is well.
   */
  note(delivery: Claimed, attempt: Pick<Attempt, 'result' | 'traceparent'>): Promise<void>;
}

export interface HealthSettings {
  breaker: BreakerSettings;
  /** An endpoint without a success for this long is disabled. */
  disableAfterSeconds: number;
}

/** Changes an endpoint and tells of it. */
const toTell = {
  failing: reportFailing,
  disabled: disableFailing,
  recovered: reportRecovered,
} satisfies Record<News, unknown>;

/**
 * Keeps what attempts say about their endpoints, for all copies, and tells of it where it is news, in the
 * same transaction. A fault of the database is only logged: it costs a hint, and what would have been news is
 * news with the next attempt.
 */
export function createHealthNotes(
  db: Database,
  settings: HealthSettings,
  metrics: Pick<DeliveryMetrics, 'breakerOpened'>,
  logger: Logger,
): HealthNotes {
  async function save(
    { tenantId, endpointId }: Claimed,
    sign: 'well' | 'unwell',
    askedMs: number | null,
    traceparent: string | null,
  ) {
    return db.transaction(async (tx) => {
      const [row] = await tx.query<HealthRow>(lockHealth, [tenantId, endpointId]);
      if (!row) return;
      const limits = { maxInFlight: row.max_in_flight, retryAfterMs: askedMs };
      const { slots, failures, pauseMs } = healthAfter(row, sign, limits, settings.breaker);
      await tx.query(saveHealth, [tenantId, endpointId, slots, failures, pauseMs]);
      const news = newsOf(row, sign, failures, settings);
      if (news !== null) await tx.query(toTell[news], [tenantId, endpointId, traceparent]);
      if (sign === 'unwell' && failures === settings.breaker.failures)
        tx.afterCommit(() => metrics.breakerOpened());
      if (news === 'disabled') tx.afterCommit(() => logDisabled(tenantId, endpointId));
    });
  }

  /** An answer about the message neither slows its endpoint down nor pauses it, but is no success either. */
  async function disableIfLong({ tenantId, endpointId }: Claimed, traceparent: string | null) {
    const values = [tenantId, endpointId, traceparent, settings.disableAfterSeconds];
    const disabled = await db.query(disableUnsuccessful, values);
    if (disabled.length > 0) logDisabled(tenantId, endpointId);
  }

  const logDisabled = (tenantId: string, endpointId: string) =>
    logger.warn({ tenantId, endpointId }, 'endpoint disabled after a long failure');

  return {
    async note(delivery, { result: { outcome, statusCode, retryAfter, date }, traceparent }) {
      const sign = signOf(outcome, statusCode);
      if (sign === 'well' && !delivery.isAiling) return;
      if (sign === null && !isRefusal(outcome, statusCode)) return;
      const noting =
        sign === null
          ? disableIfLong(delivery, traceparent)
          : save(delivery, sign, retryAfterMs(retryAfter, date), traceparent);
      await noting.catch((error: unknown) => logger.warn({ error }, 'failed to update endpoint health'));
    },
  };
}
