import type { Broker, BrokerState } from './broker';

type Values<L extends string> = readonly { labels: Record<L, string>; value: number }[];

/** The metrics registry that this library needs; that of service-kit fits. */
export interface BrokerMetrics {
  gauge<L extends string = never>(options: {
    name: string;
    help: string;
    labels?: readonly L[];
    collect: () => number | Values<L> | Promise<Values<L>>;
  }): unknown;
}

const states: readonly BrokerState[] = ['connected', 'connecting', 'blocked', 'closed'];

/** Minimum time between two queries of the queue depths. */
const holdDepthsMs = 5_000;

/** Registers the state of the connection and, for the named `queues`, their depths. */
export function observeBroker(metrics: BrokerMetrics, broker: Broker, queues: readonly string[] = []): void {
  metrics.gauge({
    name: 'broker_state',
    help: 'State of the publishing connection: 1 for the current state.',
    labels: ['state'],
    collect: () => states.map((state) => ({ labels: { state }, value: Number(broker.state() === state) })),
  });
  metrics.gauge({
    name: 'broker_faults',
    help: 'Topology mismatches and consumers without a queue.',
    collect: () => broker.faults().length,
  });
  if (queues.length === 0) return;
  let latest: { at: number; depths: Promise<Values<'queue'>> } | undefined;
  metrics.gauge({
    name: 'broker_queue_messages',
    help: 'Ready messages per queue. Absent if the queue is missing or RabbitMQ does not respond.',
    labels: ['queue'],
    collect() {
      if (latest === undefined || performance.now() - latest.at > holdDepthsMs)
        latest = { at: performance.now(), depths: depthsOf(broker, queues) };
      return latest.depths;
    },
  });
}

async function depthsOf(broker: Broker, queues: readonly string[]): Promise<Values<'queue'>> {
  try {
    const depths = await broker.depths(queues);
    return [...depths].map(([queue, value]) => ({ labels: { queue }, value }));
  } catch {
    return []; // `broker_state` reports the outage
  }
}
