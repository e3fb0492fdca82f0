import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface MetricOptions<L extends string> {
  name: string;
  help: string;
  /** Label names. The values must come from a closed set: no ids, no paths, no texts of callers. */
  labels?: readonly L[];
}

/** The value of a gauge at a scrape, or one value for each current set of labels. */
export type Reading<L extends string> = number | readonly { labels: Record<L, string>; value: number }[];

/** The metrics of one process. `/metrics` on the internal port returns them. */
export interface Metrics {
  readonly registry: Registry;
  /** Duration of HTTP requests in seconds, by method, route template and status. */
  readonly httpSeconds: Histogram<'method' | 'route' | 'status'>;
  counter<L extends string = never>(options: MetricOptions<L>): Counter<L>;
  gauge<L extends string = never>(
    options: MetricOptions<L> & { collect?: () => Reading<L> | Promise<Reading<L>> },
  ): Gauge<L>;
  histogram<L extends string = never>(options: MetricOptions<L> & { buckets?: number[] }): Histogram<L>;
}

/**
 * The lag of the event loop is measured at this interval, in milliseconds; the usual 10 ms cost an idle
 * process 4 ms of CPU time per second.
 */
const lagEveryMs = 50;

/**
 * Creates the registry of a process with the default process metrics. Every series has the label `service`.
 */
export function createMetrics(serviceName: string, options: { processMetrics?: boolean } = {}): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service: serviceName });
  if (options.processMetrics !== false)
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lagEveryMs });
  const registers = [registry];
  const common = <L extends string>({ name, help, labels = [] }: MetricOptions<L>) => ({
    name,
    help,
    labelNames: [...labels],
    registers,
  });
  const histogram: Metrics['histogram'] = (definition) =>
    new Histogram({
      ...common(definition),
      ...(definition.buckets === undefined ? {} : { buckets: definition.buckets }),
    });
  return {
    registry,
    httpSeconds: histogram({
      name: 'http_request_duration_seconds',
      help: 'Seconds from the first byte of a request to the last byte of its response.',
      labels: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    }),
    counter: (definition) => new Counter(common(definition)),
    gauge: (definition) => {
      const { collect } = definition;
      if (collect === undefined) return new Gauge(common(definition));
      return new Gauge({
        ...common(definition),
        async collect() {
          const reading = await collect();
          if (typeof reading === 'number') return this.set(reading);
          this.reset();
          for (const { labels, value } of reading) this.set(labels, value);
        },
      });
    },
    histogram,
  };
}
