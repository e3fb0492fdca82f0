/** The part of service-kit's `Metrics` that the outbox uses; this library may not depend on it. */
export interface MetricsSource {
  counter(options: { name: string; help: string; labels?: readonly 'reason'[] }): {
    inc(labels: { reason: string }, value?: number): void;
    inc(value?: number): void;
  };
  gauge(options: { name: string; help: string; collect: () => Promise<number> }): unknown;
}

export interface OutboxCounts {
  onPublished(count: number): void;
  onFailed(reason: string, count: number): void;
}

/** Registers the outbox's metrics; without a source nothing is counted. */
export function outboxMetrics(
  source: MetricsSource | undefined,
  stats: () => Promise<{ pending: number; oldestAgeSeconds: number }>,
): OutboxCounts {
  if (!source) return { onPublished: () => undefined, onFailed: () => undefined };
  const published = source.counter({
    name: 'outbox_published_total',
    help: 'Events that RabbitMQ confirmed.',
  });
  const failed = source.counter({
    name: 'outbox_publish_failures_total',
    help: 'Tries to publish an event that RabbitMQ did not take, by reason; the event stays in the outbox.',
    labels: ['reason'],
  });
  // A scrape while the database is away shows no number instead of failing as a whole.
  const orNaN = (pick: (value: Awaited<ReturnType<typeof stats>>) => number) => () =>
    stats().then(pick, () => Number.NaN);
  source.gauge({
    name: 'outbox_pending_events',
    help: 'Events that wait in the outbox, counted up to 100,000.',
    collect: orNaN((value) => value.pending),
  });
  source.gauge({
    name: 'outbox_oldest_age_seconds',
    help: 'Age of the oldest event in the outbox.',
    collect: orNaN((value) => value.oldestAgeSeconds),
  });
  return {
    onPublished: (count) => published.inc(count),
    onFailed: (reason, count) => failed.inc({ reason }, count),
  };
}
