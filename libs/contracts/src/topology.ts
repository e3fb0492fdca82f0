/**
 * RabbitMQ names, limits and bindings. Publishers and consumers declare all of it on every connect, so any of
 * them may start first, and an event always finds the queues it must reach.
 */
export const exchanges = {
  events: 'service.events',
  /** Dead letters of queues that an earlier build declared. */
  dead: 'service.dead',
  /**
   * Messages to one queue, with its name as the routing key. Not the default exchange, because a right to
   * publish there is a right to publish to every queue.
   */
  queues: 'service.queues',
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
  /**
   * Further events that clients are notified of as they happen (`GET /api/events/stream`). It has none of
   * `webhook.events`: an event that reaches one of two queues is confirmed, and the other would miss it.
   */
  live: 'webhook.live',
  /** Messages that a consumer rejected for good, for 14 days. Only a command reads them. */
  dead: 'service.dead',
} as const;

export interface QueueDeclaration {
  name: string;
  arguments: Record<string, unknown>;
  /** Arguments of an earlier build. A queue that has them works, too, and stays as it is. */
  earlier?: Record<string, unknown>;
  bindings: { exchange: string; routingKey: string }[];
}

export interface Topology {
  exchanges: { name: string; type: 'topic' | 'fanout'; arguments: Record<string, unknown> }[];
  queues: QueueDeclaration[];
  /** Exchanges and queues of earlier builds. They are deleted on every connect, with what they hold. */
  obsolete?: { exchanges: readonly string[]; queues: readonly string[] };
}

/** The delays in milliseconds after which a consumer can see a message again. Each has a retry queue. */
export const retryTiersMs = [1_000, 5_000, 30_000, 300_000] as const;

export function retryQueueName(queue: string, tierMs: number): string {
  return `${queue}.retry.${tierMs / 1000}s`;
}

const quorum = { 'x-queue-type': 'quorum' };
const GiB = 1024 ** 3;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const byName = (queue: string) => ({ exchange: exchanges.queues, routingKey: queue });

/**
 * Dead-lettering by an exchange to which every service may write. The owner of a queue then can declare it
 * without a right to the default exchange or to other queues (RabbitMQ demands the right to write to the
 * dead-letter exchange).
 */
const deadLettersTo = (queue: string) => ({
  'x-dead-letter-exchange': exchanges.queues,
  'x-dead-letter-routing-key': queue,
  'x-dead-letter-strategy': 'at-least-once',
});

/**
 * A work queue. A poison message is dead-lettered after 20 deliveries and never lost; a full queue rejects
 * instead of dropping.
 */
function workQueue(name: string, bindings: QueueDeclaration['bindings']): QueueDeclaration[] {
  const retries = retryTiersMs.map((tier) => {
    const limits = {
      ...quorum,
      'x-message-ttl': tier,
      'x-overflow': 'reject-publish',
      'x-max-length': 1_000_000,
      'x-max-length-bytes': GiB,
    };
    return {
      name: retryQueueName(name, tier),
      arguments: { ...limits, ...deadLettersTo(name) },
      earlier: { ...limits, ...deadLettersTo(name), 'x-dead-letter-exchange': '' },
      bindings: [byName(retryQueueName(name, tier))],
    };
  });
  const limits = {
    ...quorum,
    'x-delivery-limit': 20,
    'x-overflow': 'reject-publish',
    'x-max-length': 5_000_000,
  };
  return [
    {
      name,
      arguments: { ...limits, ...deadLettersTo(queues.dead) },
      earlier: {
        ...limits,
        'x-dead-letter-exchange': exchanges.dead,
        'x-dead-letter-strategy': 'at-least-once',
      },
      bindings: [...bindings, byName(name)],
    },
    ...retries,
  ];
}

const events = (routingKey: string) => ({ exchange: exchanges.events, routingKey });

export const serviceTopology: Topology = {
  exchanges: [
    { name: exchanges.dead, type: 'fanout', arguments: {} },
    { name: exchanges.events, type: 'topic', arguments: {} },
    { name: exchanges.queues, type: 'topic', arguments: {} },
  ],
  queues: [
    {
      name: queues.dead,
      // RabbitMQ 4 would drop a message that an operator has read 20 times.
      arguments: {
        ...quorum,
        'x-overflow': 'reject-publish',
        'x-max-length': 1_000_000,
        'x-max-length-bytes': GiB,
        'x-message-ttl': 14 * dayMs,
        'x-delivery-limit': 1_000_000_000,
      },
      bindings: [byName(queues.dead), { exchange: exchanges.dead, routingKey: '' }],
    },
    ...workQueue(queues.webhookEvents, [
      events('form.*'),
      events('tenant.webhook_settings_changed'),
      events('tenant.settings_resynced'),
      events('submission.completed'),
      events('submission.collection_status_changed'),
      events('submission.saved'),
      events('submission.status_changed'),
      events('submission.deleted'),
      events('submission.erased'),
      events('submitter.erased'),
    ]),
    ...workQueue(queues.webhookDeliveries, []),
    {
      name: queues.live,
      // What waits longer than clients can resume is of no use, and a full queue must not stop other events.
      arguments: {
        ...quorum,
        'x-overflow': 'drop-head',
        'x-max-length': 100_000,
        'x-max-length-bytes': GiB / 4,
        'x-message-ttl': hourMs,
        'x-delivery-limit': 1_000_000_000,
      },
      bindings: [
        events('submission.created'),
        events('submission.updated'),
        events('export.*'),
        events('datalist.imported'),
        events('import.*'),
        events('webhook.*'),
      ],
    },
    ...workQueue(queues.dataListForms, [events('form.*'), events('tenant.forms_resynced')]),
  ],
  // Kept the bodies of all events without a consumer.
  obsolete: { exchanges: ['service.unrouted'], queues: ['service.unrouted'] },
};

const requiredEvents = serviceTopology.queues
  .filter(({ name }) => name !== queues.live)
  .flatMap(({ bindings }) => bindings)
  .filter(({ exchange }) => exchange === exchanges.events)
  .map(({ routingKey }) => new RegExp(`^${routingKey.replace('.', '\\.').replace('*', '[a-z_]+')}$`));

/**
 * Returns whether a queue of Canvass needs an event of this type. Such an event is not published before a
 * queue has it. Any other event may have no consumer, and then it is published to none. The queue of live
 * events
 * needs none: without it clients are notified later.
 */
export const isRequiredEvent = (type: string): boolean => requiredEvents.some((form) => form.test(type));
