import { exchanges, retryQueueName, type QueueDeclaration, type Topology } from '@canvass/contracts';
import { eventually, testVhost, type TestVhost } from '@canvass/testing';
import { connect, type Channel } from 'amqplib';
import { createBroker, type Broker, type BrokerOptions, type Log, type OutgoingMessage } from '../src';

interface LogLine {
  level: string;
  message: string;
  details: Record<string, unknown>;
}

function recordingLog(): { log: Log; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at = (level: string) => (details: object, message: string) =>
    void lines.push({ level, message, details: { ...details } });
  return { log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }, lines };
}

const byName = (queue: string) => ({ exchange: exchanges.queues, routingKey: queue });
const quorum = { 'x-queue-type': 'quorum' };

/** A queue like a work queue of the real topology, but all retry queues wait 100 ms. */
const work: QueueDeclaration[] = [
  {
    name: 'work',
    arguments: {
      ...quorum,
      'x-delivery-limit': 20,
      'x-dead-letter-exchange': exchanges.dead,
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
    },
    bindings: [{ exchange: exchanges.events, routingKey: 'thing.*' }, byName('work')],
  },
  ...[1_000, 5_000].map((tier) => ({
    name: retryQueueName('work', tier),
    arguments: {
      ...quorum,
      'x-message-ttl': 100,
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': 'work',
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
    },
    bindings: [byName(retryQueueName('work', tier))],
  })),
];

export const topology: Topology = {
  exchanges: [
    { name: exchanges.dead, type: 'fanout', arguments: {} },
    { name: exchanges.events, type: 'topic', arguments: {} },
    { name: exchanges.queues, type: 'topic', arguments: {} },
  ],
  queues: [
    { name: 'dead', arguments: quorum, bindings: [{ exchange: exchanges.dead, routingKey: '' }] },
    ...work,
    {
      name: 'full',
      arguments: { ...quorum, 'x-max-length': 1, 'x-overflow': 'reject-publish' },
      bindings: [{ exchange: exchanges.events, routingKey: 'full.*' }],
    },
  ],
};

export interface BrokerFixture {
  vhost: TestVhost;
  lines: LogLine[];
  /** A broker that is closed at the end of the spec. */
  broker(overrides?: Partial<BrokerOptions> & { url?: string }): Broker;
  /** The same, connected. */
  connected(overrides?: Partial<BrokerOptions>): Promise<Broker>;
  /** Takes the current messages of a queue. */
  take(queue: string): Promise<{ id: string; body: string; headers: Record<string, unknown> }[]>;
  /** Number of ready messages in a queue. */
  count(queue: string): Promise<number>;
  /** Waits until the queue is empty. */
  empty(queue: string): Promise<void>;
  end(): Promise<void>;
}

export async function brokerFixture(): Promise<BrokerFixture> {
  const vhost = await testVhost();
  const { log, lines } = recordingLog();
  const brokers: Broker[] = [];
  const start: BrokerFixture['broker'] = ({ url = vhost.url, ...overrides } = {}) => {
    const broker = createBroker({ Url: url }, { name: 'spec', topology, logger: log, ...overrides });
    brokers.push(broker);
    return broker;
  };
  const count = (queue: string) =>
    onChannel(vhost, async (channel) => (await channel.checkQueue(queue)).messageCount);
  return {
    vhost,
    lines,
    broker: start,
    async connected(overrides) {
      const broker = start(overrides);
      await broker.whenConnected();
      return broker;
    },
    take: (queue) =>
      onChannel(vhost, async (channel) => {
        const taken = [];
        for (;;) {
          const message = await channel.get(queue, { noAck: true });
          if (!message) return taken;
          const { 'x-delivery-count': _count, ...headers } = message.properties.headers ?? {};
          taken.push({ id: String(message.properties.messageId), body: message.content.toString(), headers });
        }
      }),
    count,
    empty: (queue) => eventually(async () => expect(await count(queue)).toBe(0)),
    async end() {
      await Promise.all(brokers.map((broker) => broker.close()));
      await vhost.drop();
    },
  };
}

async function onChannel<T>(vhost: TestVhost, fn: (channel: Channel) => Promise<T>): Promise<T> {
  const model = await connect(vhost.url);
  try {
    return await fn(await model.createChannel());
  } finally {
    await model.close();
  }
}

let made = 0;
export function message(overrides: Partial<OutgoingMessage> = {}): OutgoingMessage {
  made += 1;
  return {
    exchange: exchanges.events,
    routingKey: 'thing.made',
    messageId: `m${made}`,
    body: Buffer.from(`{"n":${made}}`),
    ...overrides,
  };
}

/** Publishes the messages and expects that the broker takes them all. */
export async function publishAll(broker: Broker, ...messages: OutgoingMessage[]): Promise<void> {
  expect((await broker.publish(messages)).filter((result) => !result.ok)).toEqual([]);
}
