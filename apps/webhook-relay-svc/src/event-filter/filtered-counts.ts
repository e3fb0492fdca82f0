import { every } from '@canvass/async';
import { statement, type Database } from '@canvass/postgres';
import type { Logger, Metrics } from '@canvass/service-kit';

/** Adds in the order in which every statement locks endpoints. */
const addFiltered = statement<Record<'tenantIds' | 'endpointIds' | 'counts', readonly string[]>>(
  'add_filtered_events',
  `with locked as (
     select e.tenant_id, e.id, c.count
     from unnest($tenantIds::bigint[], $endpointIds::bigint[], $counts::bigint[]) c (tenant_id, endpoint_id, count)
     join endpoints e on e.tenant_id = c.tenant_id and e.id = c.endpoint_id
     order by e.tenant_id, e.id for no key update of e
   )
   update endpoints e set filtered_out = e.filtered_out + l.count
   from locked l where e.tenant_id = l.tenant_id and e.id = l.id`,
);

/** Counts events that filters left out, by endpoint. Stored every few seconds, all at once. */
export type FilteredCounts = ReturnType<typeof createFilteredCounts>;

const pauseMs = 5_000;

export function createFilteredCounts({
  db,
  logger,
  metrics,
}: {
  db: Database;
  logger: Logger;
  metrics: Metrics;
}) {
  const counts = new Map<string, number>();
  const total = metrics.counter({
    name: 'webhook_events_filtered_total',
    help: 'Events that filters of endpoints left out, once for each endpoint.',
  });

  /** What a failed statement has not stored is stored with the next one. */
  async function store(): Promise<void> {
    if (counts.size === 0) return;
    const now = [...counts].map(([key, count]) => [...key.split('/'), String(count)] as string[]);
    counts.clear();
    try {
      await db.query(
        addFiltered({
          tenantIds: now.map(([tenantId]) => tenantId!),
          endpointIds: now.map(([, endpointId]) => endpointId!),
          counts: now.map(([, , count]) => count!),
        }),
      );
    } catch (error) {
      for (const [tenantId, endpointId, count] of now) add(`${tenantId}/${endpointId}`, Number(count));
      throw error;
    }
  }
  const add = (key: string, count: number) => void counts.set(key, (counts.get(key) ?? 0) + count);
  const loop = every(pauseMs, store, {
    onError: (error) => logger.warn({ error }, 'failed to store the number of filtered events'),
  });

  return {
    count(tenantId: string, endpointIds: readonly string[]): void {
      if (endpointIds.length === 0) return;
      total.inc(endpointIds.length);
      for (const endpointId of endpointIds) add(`${tenantId}/${endpointId}`, 1);
    },
    start: () => loop.start(),
    async stop(): Promise<void> {
      await loop.stop();
      await store().catch((error: unknown) =>
        logger.warn({ error }, 'failed to store the number of filtered events'),
      );
    },
  };
}
