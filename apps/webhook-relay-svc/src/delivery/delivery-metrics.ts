import type { Database } from '@canvass/postgres';
import type { Metrics } from '@canvass/service-kit';
import { backlog } from './backlog.sql';
import type { Outcome } from './outcome';

/** What the relay tells of its deliveries on `/metrics`. */
export interface DeliveryMetrics {
  attempted(outcome: Outcome, totalMs: number): void;
  finished(status: 'delivered' | 'dead' | 'cancelled'): void;
  delivered(endToEndSeconds: number): void;
}

interface BacklogRow {
  waiting: string;
  oldest_due_seconds: number;
}

/** Registers the metrics; `inFlight` is asked at each scrape. The backlog is the database's, the same from every copy. */
export function createDeliveryMetrics(
  metrics: Metrics,
  db: Database,
  inFlight: () => number,
): DeliveryMetrics {
  const attempts = metrics.counter({
    name: 'webhook_attempts_total',
    help: 'Attempts by outcome.',
    labels: ['outcome'],
  });
  const finals = metrics.counter({
    name: 'webhook_deliveries_total',
    help: 'Deliveries that reached a final status.',
    labels: ['status'],
  });
  const seconds = metrics.histogram({
    name: 'webhook_attempt_duration_seconds',
    help: 'Seconds of each attempt, over DNS, connect, TLS, headers and body.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 20],
  });
  const endToEnd = metrics.histogram({
    name: 'webhook_end_to_end_seconds',
    help: 'Seconds from the change to the answer of the receiver that took the message.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600, 3_600, 86_400, 345_600],
  });
  metrics.gauge({
    name: 'webhook_in_flight',
    help: 'Deliveries this process is sending.',
    collect: inFlight,
  });
  const ask = sharedBacklog(db);
  metrics.gauge({
    name: 'webhook_deliveries_waiting',
    help: 'Deliveries that are not final, of all copies.',
    collect: async () => Number((await ask())?.waiting ?? NaN),
  });
  metrics.gauge({
    name: 'webhook_oldest_due_seconds',
    help: 'For how long the oldest due delivery of an enabled endpoint has waited, in flight ones included.',
    collect: async () => (await ask())?.oldest_due_seconds ?? NaN,
  });
  return {
    attempted(outcome, totalMs) {
      attempts.inc({ outcome });
      seconds.observe(totalMs / 1000);
    },
    finished: (status) => finals.inc({ status }),
    delivered: (value) => endToEnd.observe(Math.max(0, value)),
  };
}

/** One query for all gauges of a scrape, which are collected side by side. */
function sharedBacklog(db: Database): () => Promise<BacklogRow | undefined> {
  let asking: Promise<BacklogRow | undefined> | undefined;
  return () =>
    (asking ??= db
      .query<BacklogRow>(backlog)
      .then(([row]) => row)
      .catch(() => undefined) // a database that is down shows in the health, not as a failed scrape
      .finally(() => (asking = undefined)));
}
