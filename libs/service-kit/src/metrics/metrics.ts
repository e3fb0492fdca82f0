import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface MetricOptions<L extends string> {
  name: string;
  help: string;
  /** Only labels whose values come from a closed set; never an id, a path or a text of a caller. */
  labels?: readonly L[];
}

/** What a gauge reads at a scrape: its value, or one value for each set of labels there is at the moment. */
export type Reading<L extends string> = number | readonly { labels: Record<L, string>; value: number }[];

/** The metrics of one process, rendered by `/metrics` on the internal port. */
export interface Metrics {
  readonly registry: Registry;
  /** Seconds of each HTTP request by method, route template and status. */
  readonly httpSeconds: Histogram<'method' | 'route' | 'status'>;
  counter<L extends string = never>(options: MetricOptions<L>): Counter<L>;
  gauge<L extends string = never>(
    options: MetricOptions<L> & { collect?: () => Reading<L> | Promise<Reading<L>> },
  ): Gauge<L>;
  histogram<L extends string = never>(options: MetricOptions<L> & { buckets?: number[] }): Histogram<L>;
}

/** Creates the registry of a process with the default process metrics; every series carries `service`. */
export function createMetrics(serviceName: string, options: { processMetrics?: boolean } = {}): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service: serviceName });
  if (options.processMetrics !== false) collectDefaultMetrics({ register: registry });
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
      help: 'Seconds from the first byte of a request to the last of its answer.',
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
