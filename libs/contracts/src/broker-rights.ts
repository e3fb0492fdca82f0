import { exchanges, queues, retryQueueName, retryTiersMs } from './topology';

/** What the RabbitMQ user of a service may do, as regular expressions of RabbitMQ. */
export interface BrokerRights {
  service: 'submissions-svc' | 'datalists-svc' | 'webhook-relay-svc';
  user: string;
  /** Names of queues and exchanges. */
  configure: string;
  write: string;
  read: string;
  /** Routing keys that it may publish, and bind its queues to. */
  topics: { exchange: string; write: string; read: string }[];
}

/** Nothing matches it. RabbitMQ takes an empty expression as this one, too. */
const nothing = '^$';

const escaped = (text: string) => text.replaceAll('.', '\\.');
const anyOf = (...patterns: string[]) => `^(${patterns.join('|')})$`;
const exactly = (...names: string[]) => names.map(escaped);
const retryQueuesOf = (queue: string) => retryTiersMs.map((tier) => retryQueueName(queue, tier));

interface Part {
  /** Its schema, which is part of the names of its wake queues. */
  schema: string;
  /** First words of the types of its events. */
  publishes: string[];
  reads: string[];
  /** Queues that it sends messages to by name. */
  sendsTo: string[];
}

function rightsOf({ schema, publishes, reads, sendsTo }: Part): Omit<BrokerRights, 'service' | 'user'> {
  const wake = `${escaped(wakeQueueName(schema, ''))}.*`;
  return {
    configure: anyOf(wake),
    write: anyOf(...exactly(exchanges.events, exchanges.queues), wake),
    read: anyOf(...exactly(exchanges.queues, ...reads), wake),
    topics: [
      { exchange: exchanges.events, write: `^(${publishes.join('|')})\\.`, read: nothing },
      { exchange: exchanges.queues, write: anyOf(...exactly(...sendsTo), wake), read: anyOf(wake) },
    ],
  };
}

/** The queue by which the processes of a service wake the leader of a lane. */
export const wakeQueueName = (schema: string, leader: number | string): string =>
  `outbox.wake.${schema}.${leader}`;

const forms = retryQueuesOf(queues.dataListForms);
const webhooks = [
  queues.webhookEvents,
  queues.webhookDeliveries,
  ...retryQueuesOf(queues.webhookEvents),
  ...retryQueuesOf(queues.webhookDeliveries),
];

/**
 * One user for each service. It creates nothing but its wake queues, publishes only the events of its
 * service, and reads only its queues. Where all users are like that, `provisionBroker` declares the topology.
 */
export const brokerRights: readonly BrokerRights[] = [
  {
    service: 'submissions-svc',
    user: 'canvass_submissions',
    ...rightsOf({
      schema: 'submissions',
      publishes: ['form', 'tenant', 'submission', 'submitter'],
      reads: [],
      sendsTo: [],
    }),
  },
  {
    service: 'datalists-svc',
    user: 'canvass_datalists',
    ...rightsOf({
      schema: 'datalists',
      publishes: ['datalist'],
      reads: [queues.dataListForms],
      sendsTo: forms,
    }),
  },
  {
    service: 'webhook-relay-svc',
    user: 'canvass_webhooks',
    ...rightsOf({
      schema: 'webhooks',
      publishes: ['webhook'],
      // Erasures search all queues with answers; commands return dead letters to any queue.
      reads: [...webhooks, queues.dead],
      sendsTo: [...webhooks, queues.dataListForms],
    }),
  },
];
