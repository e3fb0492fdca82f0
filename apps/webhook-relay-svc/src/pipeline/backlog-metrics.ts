import type { Database } from '@canvass/postgres';
import type { Metrics } from '@canvass/service-kit';
import { backlog, countEndpoints, type BacklogRow, type EndpointCountRow } from './backlog.sql';

/** Least time between two queries of a process, however often it is scraped. */
const holdMs = 5_000;

const endpointStates: readonly EndpointCountRow['state'][] = ['enabled', 'slowed', 'paused', 'disabled'];

/** Registers the state of the queue, of all replicas: each of them reports the same. */
export function observeBacklog(metrics: Metrics, db: Database): void {
  const ask = held(async (): Promise<BacklogRow | undefined> => (await db.query(backlog()))[0]);
  const askEndpoints = held(() => db.query(countEndpoints()));
  metrics.gauge({
    name: 'webhook_deliveries_waiting',
    help: 'Deliveries that are not final, of all replicas, counted up to 100,000.',
    collect: async () => (await ask())?.waiting ?? NaN,
  });
  metrics.gauge({
    name: 'webhook_deliveries_due',
    help: 'Deliveries of enabled endpoints whose time has come, in flight ones included, of all replicas, up to 100,000.',
    collect: async () => (await ask())?.due ?? NaN,
  });
  metrics.gauge({
    name: 'webhook_oldest_due_seconds',
    help: 'For how long the oldest due delivery of an enabled endpoint has waited, in flight ones included. Degraded: endpoints whose last attempts failed.',
    labels: ['endpoints'],
    async collect() {
      const row = await ask();
      return [
        { labels: { endpoints: 'healthy' }, value: row?.oldest_healthy_seconds ?? NaN },
        { labels: { endpoints: 'degraded' }, value: row?.oldest_degraded_seconds ?? NaN },
      ];
    },
  });
  metrics.gauge({
    name: 'webhook_endpoints',
    help: 'Endpoints in the settings of all tenants, by state, counted up to 100,000.',
    labels: ['state'],
    async collect() {
      const rows = await askEndpoints();
      return endpointStates.map((state) => ({
        labels: { state },
        value: rows === undefined ? NaN : (rows.find((row) => row.state === state)?.count ?? 0),
      }));
    },
  });
}

/**
 * One query for all gauges of a scrape, which are collected side by side, and for the scrapes of some
 * seconds.
 */
function held<T>(ask: () => Promise<T>): () => Promise<T | undefined> {
  let latest: { at: number; answer: Promise<T | undefined> } | undefined;
  return () => {
    if (latest === undefined || performance.now() - latest.at > holdMs)
      // A database that is down shows in the health, not as a failed scrape.
      latest = { at: performance.now(), answer: ask().catch(() => undefined) };
    return latest.answer;
  };
}
