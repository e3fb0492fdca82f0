import type { Broker, BrokerState } from './broker';

type Values<L extends string> = readonly { labels: Record<L, string>; value: number }[];

/** What this library needs of a metrics registry; service-kit's has this shape. */
export interface BrokerMetrics {
  gauge<L extends string = never>(options: {
    name: string;
    help: string;
    labels?: readonly L[];
    collect: () => number | Values<L> | Promise<Values<L>>;
  }): unknown;
}

const states: readonly BrokerState[] = ['connected', 'connecting', 'blocked', 'closed'];

/** RabbitMQ is asked for the depths no more often than this. */
const holdDepthsMs = 5_000;

/** Registers how this process stands with RabbitMQ and, if `queues` are named, how much waits in them. */
export function observeBroker(metrics: BrokerMetrics, broker: Broker, queues: readonly string[] = []): void {
  metrics.gauge({
    name: 'broker_state',
    help: 'State of the connection that publishes: 1 for the one it is in.',
    labels: ['state'],
    collect: () => states.map((state) => ({ labels: { state }, value: Number(broker.state() === state) })),
  });
  metrics.gauge({
    name: 'broker_faults',
    help: 'Queues declared otherwise, and consumers without a queue, though connected.',
    collect: () => broker.faults().length,
  });
  if (queues.length === 0) return;
  let latest: { at: number; depths: Promise<Values<'queue'>> } | undefined;
  metrics.gauge({
    name: 'broker_queue_messages',
    help: 'Messages that are ready in a queue. Absent while RabbitMQ does not answer.',
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
    return []; // the broker's state tells
  }
}
