import type { Metrics } from '@canvass/service-kit';
import type { ServiceName } from '../config';
import type { Forwarded } from './exchange';
import type { Upstream } from './upstream';

/** Counts the requests to each service. */
export interface UpstreamMetrics {
  /** A request was sent and has ended. */
  onForwarded(service: ServiceName, result: Forwarded, milliseconds: number): void;
  /** A request was refused because the circuit of its service is open. */
  onCircuitOpen(service: ServiceName): void;
}

/** Registers the metrics of the configured services. */
export function createUpstreamMetrics(
  metrics: Metrics,
  upstreams: Partial<Record<ServiceName, Upstream>>,
): UpstreamMetrics {
  const all = Object.entries(upstreams);
  metrics.gauge({
    name: 'gateway_upstream_breaker_open',
    help: 'Replicas of a service whose circuit is open after many failures in a row.',
    labels: ['upstream'],
    collect: () =>
      all.map(([upstream, service]) => ({ labels: { upstream }, value: service.load().openCircuits })),
  });
  metrics.gauge({
    name: 'gateway_upstream_requests',
    help: 'Requests in flight to a service: running, or queued for a connection.',
    labels: ['upstream', 'state'],
    collect: () =>
      all.flatMap(([upstream, service]) => {
        const { running, queued } = service.load();
        return [
          { labels: { upstream, state: 'running' }, value: running },
          { labels: { upstream, state: 'queued' }, value: queued },
        ];
      }),
  });
  const rejected = metrics.counter({
    name: 'gateway_upstream_rejected_total',
    help: 'Requests refused without being sent, by reason.',
    labels: ['upstream', 'reason'],
  });
  for (const [upstream] of all) rejected.inc({ upstream, reason: 'circuit_open' }, 0);
  const seconds = metrics.histogram({
    name: 'gateway_upstream_duration_seconds',
    help: 'Seconds from sending a request to a service to the end of its response.',
    labels: ['upstream', 'outcome'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
  });
  const retries = metrics.counter({
    name: 'gateway_upstream_retries_total',
    help: 'Requests sent a second time after a connection error.',
    labels: ['upstream'],
  });
  return {
    onForwarded(upstream, { outcome, retries: count }, milliseconds) {
      seconds.observe({ upstream, outcome }, milliseconds / 1000);
      if (count > 0) retries.inc({ upstream }, count);
    },
    onCircuitOpen: (upstream) => rejected.inc({ upstream, reason: 'circuit_open' }),
  };
}
