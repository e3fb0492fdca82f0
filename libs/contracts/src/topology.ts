/**
 * RabbitMQ names, limits and bindings. Publishers and consumers declare all of it on every connect, so any of
 * them may start first, and an event always finds the queues it must reach.
 */
export const exchanges = {
  events: 'service.events',
  unrouted: 'service.unrouted',
  dead: 'service.dead',
} as const;

export const queues = {
  /** Events the relay turns into deliveries. */
  webhookEvents: 'webhook.events',
  /**
   * One job `{ tenantId, endpointId, deliveryId }` per delivery, used when
   * `Service:Outbox:DeliverToJobQueue` is on.
   */
  webhookDeliveries: 'webhook.deliveries',
  /** Form events, from which datalists-svc learns which form may read which list. */
  dataListForms: 'datalists.forms',
  /** Events without a bound queue. The oldest are dropped at the limit. */
  unrouted: 'service.unrouted',
  /** Messages that a consumer rejected for good. Only a command and an API read them. */
  dead: 'service.dead',
} as const;

export interface QueueDeclaration {
  name: string;
  arguments: Record<string, unknown>;
  bindings: { exchange: string; routingKey: string }[];
}

export interface Topology {
  exchanges: { name: string; type: 'topic' | 'fanout'; arguments: Record<string, unknown> }[];
  queues: QueueDeclaration[];
}

/** The delays in milliseconds after which a consumer can see a message again. Each has a retry queue. */
export const retryTiersMs = [1_000, 5_000, 30_000, 300_000] as const;

export function retryQueueName(queue: string, tierMs: number): string {
  return `${queue}.retry.${tierMs / 1000}s`;
}

const quorum = { 'x-queue-type': 'quorum' };

/**
 * A work queue. A poison message is dead-lettered after 20 deliveries and never lost; a full queue rejects
 * instead of dropping.
 */
function workQueue(name: string, bindings: QueueDeclaration['bindings']): QueueDeclaration[] {
  const retries = retryTiersMs.map((tier) => ({
    name: retryQueueName(name, tier),
    arguments: {
      ...quorum,
      'x-message-ttl': tier,
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': name,
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
      'x-max-length': 1_000_000,
    },
    bindings: [],
  }));
  return [
    {
      name,
      arguments: {
        ...quorum,
        'x-delivery-limit': 20,
        'x-dead-letter-exchange': exchanges.dead,
        'x-dead-letter-strategy': 'at-least-once',
        'x-overflow': 'reject-publish',
        'x-max-length': 5_000_000,
      },
      bindings,
    },
    ...retries,
  ];
}

const events = (routingKey: string) => ({ exchange: exchanges.events, routingKey });

export const serviceTopology: Topology = {
  exchanges: [
    { name: exchanges.unrouted, type: 'fanout', arguments: {} },
    { name: exchanges.dead, type: 'fanout', arguments: {} },
    { name: exchanges.events, type: 'topic', arguments: { 'alternate-exchange': exchanges.unrouted } },
  ],
  queues: [
    {
      name: queues.dead,
      // RabbitMQ 4 would drop a message that an operator has read 20 times.
      arguments: {
        ...quorum,
        'x-overflow': 'reject-publish',
        'x-max-length': 1_000_000,
        'x-delivery-limit': 1_000_000_000,
      },
      bindings: [{ exchange: exchanges.dead, routingKey: '' }],
    },
    {
      name: queues.unrouted,
      arguments: { ...quorum, 'x-overflow': 'drop-head', 'x-max-length': 100_000 },
      bindings: [{ exchange: exchanges.unrouted, routingKey: '' }],
    },
    ...workQueue(queues.webhookEvents, [
      events('form.*'),
      events('tenant.webhook_settings_changed'),
      events('submission.completed'),
      events('submission.collection_status_changed'),
    ]),
    ...workQueue(queues.webhookDeliveries, []),
    ...workQueue(queues.dataListForms, [events('form.*')]),
  ],
};
