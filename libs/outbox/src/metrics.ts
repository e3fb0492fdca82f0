import type { Dispatcher, OutboxMetrics } from './dispatcher';

export interface Counts {
  published(count: number): void;
  failed(reason: string): void;
  poisoned(count: number): void;
}

const ignore = () => undefined;

/** Registers the metrics of the outbox. Without a registry nothing is counted. */
export function countsOf(
  metrics: OutboxMetrics | undefined,
  stats: Dispatcher['stats'],
  ledShare: () => number,
  keptBytes: () => Promise<number>,
): Counts {
  if (!metrics) return { published: ignore, failed: ignore, poisoned: ignore };
  // One query per scrape, which never fails the scrape.
  let latest: { at: number; stats: ReturnType<Dispatcher['stats']> } | undefined;
  const recent = async () => {
    if (!latest || performance.now() - latest.at > 1_000) latest = { at: performance.now(), stats: stats() };
    return latest.stats.catch(() => ({ pending: NaN, oldestAgeSeconds: NaN, poisoned: NaN }));
  };
  metrics.gauge({
    name: 'outbox_pending_events',
    help: 'Committed but unpublished events, counted up to 100,000.',
    collect: async () => (await recent()).pending,
  });
  metrics.gauge({
    name: 'outbox_oldest_age_seconds',
    help: 'Age of the oldest unpublished event.',
    collect: async () => (await recent()).oldestAgeSeconds,
  });
  metrics.gauge({
    name: 'outbox_poison_events',
    help: 'Events in outbox_poison, counted up to 10,000. They need an operator.',
    collect: async () => (await recent()).poisoned,
  });
  metrics.gauge({
    name: 'outbox_kept_bytes',
    help: 'Disk space of the published events that are kept.',
    collect: () => keptBytes().catch(() => NaN),
  });
  metrics.gauge({
    name: 'outbox_led_share',
    help: 'Share of the outbox that this process publishes, 0 to 1. The sum over all processes is 1.',
    collect: ledShare,
  });
  const published = metrics.counter({
    name: 'outbox_published_total',
    help: 'Events confirmed by the broker and removed from the outbox.',
  });
  const failures = metrics.counter({
    name: 'outbox_publish_failures_total',
    help: 'Unconfirmed publish attempts by reason. The events stay in the outbox.',
    labels: ['reason'],
  });
  const poisoned = metrics.counter({
    name: 'outbox_poisoned_total',
    help: 'Unpublishable events moved to outbox_poison.',
  });
  return {
    published: (count) => published.inc(count),
    failed: (reason) => failures.inc({ reason }),
    poisoned: (count) => poisoned.inc(count),
  };
}
