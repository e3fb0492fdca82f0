import type { Database } from '@canvass/postgres';
import { createRangeCounts, type RangeCounts } from '@canvass/range-counts';
import type { Logger } from '@canvass/service-kit';
import { countedDeliveries, type TenantKey } from './delivery-counts.sql';

/** Counts the deliveries of tenants, those that wait included. */
export type DeliveryCounts = RangeCounts<TenantKey>;

export const createDeliveryCounts = (db: Database, logger: Logger): DeliveryCounts =>
  createRangeCounts(db, countedDeliveries, (error) =>
    logger.warn({ error }, 'failed to count deliveries of tenants; retrying in a minute'),
  );
