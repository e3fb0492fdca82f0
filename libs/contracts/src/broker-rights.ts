import { exchanges, queues, retryQueueName, retryTiersMs, serviceTopology } from './topology';

/** The rights of the RabbitMQ user of a service, as regular expressions of RabbitMQ. */
export interface BrokerRights {
  service: 'submissions-svc' | 'datalists-svc' | 'webhook-relay-svc';
  /** Its schema, which names the user within the installation. */
  schema: string;
  /** Names of queues and exchanges. */
  configure: string;
  write: string;
  read: string;
  /** Routing keys that it may publish, and bind its queues to. */
  topics: { exchange: string; write: string; read: string }[];
}

/** Nothing matches it. RabbitMQ takes an empty expression as this one, too. */
const nothing = '^$';

const escaped = (text: string) => text.replace(/[.*]/g, '\\$&');
const anyOf = (...patterns: string[]) => `^(${patterns.join('|')})$`;
const exactly = (...names: string[]) => names.map(escaped);
const retryQueuesOf = (queue: string) => retryTiersMs.map((tier) => retryQueueName(queue, tier));

interface Part {
  /** The schema, which is part of the names of its wake queues. */
  schema: string;
  /** First words of the types of its events. */
  publishes: string[];
  /** Queues that it declares, binds and reads. */
  owns: string[];
  /** Queues that it sends messages to by name. */
  sendsTo: string[];
}

function rightsOf({ schema, publishes, owns, sendsTo }: Part): Omit<BrokerRights, 'service'> {
  const wake = `${escaped(wakeQueueName(schema, ''))}.*`;
  const own = exactly(...owns);
  const { events } = exchanges;
  return {
    schema,
    configure: anyOf(...own, wake),
    // To bind a queue takes the right to write to it, which is no right to publish to it.
    write: anyOf(...exactly(events, exchanges.queues), ...own, wake),
    read: anyOf(...exactly(exchanges.queues, ...(owns.length > 0 ? [events] : [])), ...own, wake),
    topics: [
      { exchange: events, write: `^(${publishes.join('|')})\\.`, read: bindingsOf(owns) },
      { exchange: exchanges.queues, write: anyOf(...exactly(...sendsTo), wake), read: anyOf(...own, wake) },
    ],
  };
}

/** Matches the routing keys by which these queues are bound for events. */
function bindingsOf(names: string[]): string {
  const keys = serviceTopology.queues
    .filter(({ name }) => names.includes(name))
    .flatMap(({ bindings }) => bindings.filter(({ exchange }) => exchange === exchanges.events))
    .map(({ routingKey }) => routingKey);
  return keys.length === 0 ? nothing : anyOf(...exactly(...keys));
}

/** The queue by which the processes of a service wake the leader of a lane. */
export const wakeQueueName = (schema: string, leader: number | string): string =>
  `outbox.wake.${schema}.${leader}`;

const withRetries = (...names: string[]) => names.flatMap((name) => [name, ...retryQueuesOf(name)]);
const webhooks = withRetries(queues.webhookEvents, queues.webhookDeliveries);

/**
 * One user for each service. It declares its own queues and wake queues and reads them, and publishes only
 * the events of its service. `provisionBroker` declares the topology.
 */
export const brokerRights: readonly BrokerRights[] = [
  {
    service: 'submissions-svc',
    ...rightsOf({
      schema: 'submissions',
      publishes: ['form', 'tenant', 'submission', 'submitter', 'export'],
      owns: [],
      sendsTo: [],
    }),
  },
  {
    service: 'datalists-svc',
    ...rightsOf({
      schema: 'datalists',
      publishes: ['datalist', 'import'],
      owns: withRetries(queues.dataListForms),
      sendsTo: retryQueuesOf(queues.dataListForms),
    }),
  },
  {
    service: 'webhook-relay-svc',
    ...rightsOf({
      schema: 'webhooks',
      publishes: ['webhook'],
      // Erasures search all queues with answers; commands return dead letters to any queue.
      owns: [...webhooks, queues.dead, queues.live],
      sendsTo: [...webhooks, queues.dataListForms],
    }),
  },
];
