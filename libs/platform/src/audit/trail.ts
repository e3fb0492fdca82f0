import { every } from '@canvass/async';
import type { Database } from '@canvass/postgres';
import type { Logger, Metrics } from '@canvass/service-kit';
import { dropExpiredDays } from './retention';
import { sealAudit } from './seal';
import { findOldestUnsealed } from './seal.sql';

export interface AuditTrailOptions {
  db: Database;
  logger: Logger;
  metrics: Metrics;
  /** `Service:Audit:RetentionDays` */
  keptDays: number;
}

const sealEveryMs = 1_000;
const dropEveryMs = 3_600_000;

/** The jobs of the audit trail: sealing every second, retention every hour. Every replica may run them. */
export function createAuditTrail({ db, logger, metrics, keptDays }: AuditTrailOptions) {
  metrics.gauge({
    name: 'audit_oldest_unsealed_seconds',
    help: 'Age of the oldest row of the audit trail that is not sealed.',
    collect: () =>
      db.query(findOldestUnsealed()).then(
        ([row]) => row!.seconds,
        () => NaN,
      ),
  });
  const sealer = every(
    sealEveryMs,
    async (signal) => {
      while (!signal.aborted && (await sealAudit(db)) > 0);
    },
    { onError: (error) => logger.warn({ error }, 'failed to seal the audit trail; retrying in a second') },
  );
  const retention = every(
    dropEveryMs,
    async (signal) => {
      const days = await dropExpiredDays(db, keptDays, signal);
      if (days > 0) logger.info({ days }, 'dropped expired days of the audit trail');
    },
    {
      atOnce: true,
      onError: (error) => logger.warn({ error }, 'failed to drop expired days of the audit trail; retrying'),
    },
  );
  return {
    start() {
      sealer.start();
      retention.start();
    },
    stop: () => Promise.all([sealer.stop(), retention.stop()]).then(() => undefined),
  };
}
