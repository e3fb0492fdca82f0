import type { Metrics } from '@canvass/service-kit';
import type { ServiceName } from '../config';
import type { Upstream } from './upstream';

/** What the gateway counts of each service beside the requests that it sends. */
export interface UpstreamCounts {
  /** The breaker is open: the request was refused at once. */
  spared(service: ServiceName): void;
}

/** Registers how the gateway stands with each configured service. */
export function observeUpstreams(
  metrics: Metrics,
  upstreams: Partial<Record<ServiceName, Upstream>>,
): UpstreamCounts {
  const all = Object.entries(upstreams);
  metrics.gauge({
    name: 'gateway_upstream_breaker_open',
    help: 'Copies of a service that are spared because they gave no answer many times in a row.',
    labels: ['upstream'],
    collect: () =>
      all.map(([upstream, service]) => ({ labels: { upstream }, value: service.load().openBreakers })),
  });
  metrics.gauge({
    name: 'gateway_upstream_requests',
    help: 'Requests that a service is answering, and those that wait for a connection to it.',
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
  const spared = metrics.counter({
    name: 'gateway_upstream_spared_total',
    help: 'Requests refused at once because the breaker of their service was open.',
    labels: ['upstream'],
  });
  for (const [upstream] of all) spared.inc({ upstream }, 0);
  return { spared: (upstream) => spared.inc({ upstream }) };
}
