import type { Metrics } from '@canvass/service-kit';
import { outcomes, type Outcome } from './outcome';

const finalStatuses = ['delivered', 'dead', 'cancelled'] as const;
const slots = ['awaited', 'missed'] as const;

/** The metrics of the relay's own deliveries. */
export type DeliveryMetrics = ReturnType<typeof createDeliveryMetrics>;

/** Registers the metrics of this process; `inFlight` is called at each scrape. */
export function createDeliveryMetrics(metrics: Metrics, inFlight: () => number) {
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
    help: 'Duration of attempts in seconds, including DNS, connect, TLS, headers and body.',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 20],
  });
  const endToEnd = metrics.histogram({
    name: 'webhook_end_to_end_seconds',
    help: 'Seconds from the change to the 2xx response of the receiver.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600, 3_600, 86_400, 345_600],
  });
  const openings = metrics.counter({
    name: 'webhook_breaker_openings_total',
    help: 'Circuit breaker openings.',
  });
  const throttled = metrics.counter({
    name: 'webhook_throttled_total',
    help: 'Deliveries that waited for a send slot of their rate limit, or missed it and wait for another.',
    labels: ['turn'],
  });
  metrics.gauge({
    name: 'webhook_in_flight',
    help: 'Attempts in progress in this process.',
    collect: inFlight,
  });
  // From the start, so that the first of its kind is an increase.
  for (const outcome of outcomes) attempts.inc({ outcome }, 0);
  for (const status of finalStatuses) finals.inc({ status }, 0);
  for (const slot of slots) throttled.inc({ turn: slot }, 0);
  return {
    attempted(outcome: Outcome, totalMs: number): void {
      attempts.inc({ outcome });
      seconds.observe(totalMs / 1000);
    },
    finished: (status: (typeof finalStatuses)[number]) => finals.inc({ status }),
    delivered: (endToEndSeconds: number) => endToEnd.observe(Math.max(0, endToEndSeconds)),
    throttled: (slot: (typeof slots)[number]) => throttled.inc({ turn: slot }),
    breakerOpened: () => openings.inc(),
  };
}
