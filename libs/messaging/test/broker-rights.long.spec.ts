import {
  brokerRights,
  exchanges,
  queues,
  retryQueueName,
  serviceTopology,
  wakeQueueName,
} from '@canvass/contracts';
import { eventually, testVhost, type TestVhost } from '@canvass/testing';
import { connect, type Channel } from 'amqplib';
import { randomBytes } from 'node:crypto';
import { createBroker, provisionBroker, type Broker, type OutgoingMessage } from '../src';

type Service = (typeof brokerRights)[number]['service'];

const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const password = randomBytes(12).toString('hex');
const suffix = randomBytes(4).toString('hex');
const users = brokerRights.map((rights) => ({ ...rights, user: `${suffix}_${rights.schema}`, password }));

let vhost: TestVhost;
const brokers: Broker[] = [];

beforeAll(async () => {
  vhost = await testVhost();
  await provision();
  await provision(); // it can be repeated
});
afterEach(async () => {
  await Promise.all(brokers.splice(0).map((broker) => broker.close()));
});
afterAll(async () => {
  for (const { user } of users) await vhost.api('DELETE', `/users/${user}`);
  await vhost.drop();
});

const provision = () =>
  provisionBroker({ managementUrl: vhost.managementUrl, virtualHost: vhost.name }, serviceTopology, users);

function urlOf(service: Service): string {
  const url = new URL(vhost.url);
  url.username = users.find((entry) => entry.service === service)!.user;
  url.password = password;
  return url.href;
}

async function brokerOf(service: Service): Promise<Broker> {
  const broker = createBroker(
    { Url: urlOf(service) },
    { name: service, topology: serviceTopology, logger: silent },
  );
  brokers.push(broker);
  await broker.whenConnected();
  return broker;
}

const message = (routingKey: string, exchange: string = exchanges.events): OutgoingMessage => ({
  exchange,
  routingKey,
  messageId: '1',
  body: Buffer.from('{}'),
  headers: {},
});

const argumentsOf = (name: string) => serviceTopology.queues.find((queue) => queue.name === name)!.arguments;

/** The code with which RabbitMQ closes the channel; null if it does not. */
async function refusalOf(
  service: Service,
  act: (channel: Channel) => Promise<unknown>,
): Promise<number | null> {
  const connection = await connect(urlOf(service));
  connection.on('error', () => undefined);
  const channel = await connection.createConfirmChannel();
  let code: number | null = null;
  channel.on('error', (error: Error & { code?: number }) => (code = error.code ?? 0));
  try {
    await act(channel);
    await channel.waitForConfirms();
    await channel.checkExchange(exchanges.events); // a refusal of what has no answer arrives before this one
  } catch (error) {
    code ??= (error as { code?: number }).code ?? 0;
  } finally {
    await connection.close().catch(() => undefined);
  }
  return code;
}

describe('the user of each service', () => {
  it.each([
    ['submissions-svc', 'submissions'],
    ['datalists-svc', 'datalists'],
    ['webhook-relay-svc', 'webhooks'],
  ] as const)(
    '%s connects to a provisioned broker without a fault, and receives its wake-ups',
    async (service, schema) => {
      const broker = await brokerOf(service);
      expect(broker.faults()).toEqual([]);
      const queue = wakeQueueName(schema, 1);
      const woken: string[] = [];
      const mailbox = broker.openMailbox(queue, (body) => woken.push(String(body)));
      await eventually(() => {
        mailbox.send(queue, Buffer.from('lane'));
        return woken.includes('lane');
      });
    },
  );

  it.each([
    ['submissions-svc', 'form.created'],
    ['submissions-svc', 'submission.completed'],
    ['submissions-svc', 'tenant.webhook_settings_changed'],
    ['submissions-svc', 'submitter.erased'],
    ['submissions-svc', 'export.done'],
    ['datalists-svc', 'import.ready'],
  ] as const)('%s publishes %s', async (service, type) => {
    const broker = await brokerOf(service);
    expect(await broker.publish([message(type)])).toEqual([{ ok: true }]);
  });

  it.each([
    ['datalists-svc', queues.dataListForms, 'form.created'],
    ['webhook-relay-svc', queues.webhookEvents, 'submission.completed'],
  ] as const)('%s consumes %s, also what it retried', async (service, queue, type) => {
    const [producer, consumer] = [await brokerOf('submissions-svc'), await brokerOf(service)];
    const seen: number[] = [];
    consumer.consume(queue, { prefetch: 10 }, ({ messageId, deliveryCount }) => {
      if (messageId !== service) return Promise.resolve('ack');
      seen.push(deliveryCount);
      return Promise.resolve(deliveryCount === 0 ? { retryInMs: 1_000 } : 'ack');
    });
    await producer.publish([{ ...message(type), messageId: service }]);
    await eventually(() => expect(seen).toEqual([0, 1]), { timeoutMs: 20_000 });
    expect(consumer.faults()).toEqual([]);
  });

  const publish = (exchange: string, routingKey: string) => (channel: Channel) =>
    Promise.resolve(channel.publish(exchange, routingKey, Buffer.from('{}')));
  const [relayQueue, listQueue] = [queues.webhookEvents, queues.dataListForms];
  it.each<[Service, string, (channel: Channel) => Promise<unknown>]>([
    ['datalists-svc', "read the relay's queue", (channel) => channel.get(relayQueue)],
    [
      'datalists-svc',
      "read the relay's retries",
      (channel) => channel.get(retryQueueName(relayQueue, 1_000)),
    ],
    ['datalists-svc', 'read dead letters', (channel) => channel.get(queues.dead)],
    ['datalists-svc', "publish a submission's event", publish(exchanges.events, 'submission.completed')],
    ['datalists-svc', "put a message into the relay's queue", publish(exchanges.queues, relayQueue)],
    ['datalists-svc', 'put one there by the default exchange', publish('', relayQueue)],
    ['datalists-svc', "delete the relay's queue", (channel) => channel.deleteQueue(relayQueue)],
    ['datalists-svc', "empty the relay's queue", (channel) => channel.purgeQueue(relayQueue)],
    ['submissions-svc', "read the relay's queue", (channel) => channel.get(relayQueue)],
    ['submissions-svc', "publish a list's event", publish(exchanges.events, 'datalist.updated')],
    ['webhook-relay-svc', "publish a form's event", publish(exchanges.events, 'form.created')],
    ['webhook-relay-svc', 'read the queue of the lists', (channel) => channel.get(queues.dataListForms)],
    ['webhook-relay-svc', 'delete the queue of the lists', (channel) => channel.deleteQueue(listQueue)],
    [
      'submissions-svc',
      "declare the relay's queue",
      (channel) => channel.assertQueue(relayQueue, { arguments: argumentsOf(relayQueue) }),
    ],
    [
      'datalists-svc',
      'bind its queue to the events of others',
      (channel) => channel.bindQueue(listQueue, exchanges.events, 'submission.completed'),
    ],
    [
      'datalists-svc',
      "bind the relay's queue",
      (channel) => channel.bindQueue(relayQueue, exchanges.events, 'form.*'),
    ],
    ['datalists-svc', 'make up a dead letter', publish(exchanges.queues, queues.dead)],
    ['datalists-svc', 'make up one by the exchange of dead letters', publish(exchanges.dead, '')],
    [
      'datalists-svc',
      'receive the events of others in a queue of its own',
      async (channel) => {
        const { queue } = await channel.assertQueue('outbox.wake.datalists.9', { exclusive: true });
        await channel.bindQueue(queue, exchanges.events, '#');
      },
    ],
    [
      'datalists-svc',
      'receive what others retry',
      async (channel) => {
        const { queue } = await channel.assertQueue('outbox.wake.datalists.8', { exclusive: true });
        await channel.bindQueue(queue, exchanges.queues, '#');
      },
    ],
  ])('%s cannot %s', async (service, _, act) => {
    expect(await refusalOf(service, act)).toBe(403);
  });
});

const deleteQueue = (name: string) => vhost.api('DELETE', `/queues/:vhost/${name}`);

describe('a queue that was deleted', () => {
  it.each([
    ['webhook-relay-svc', queues.webhookEvents, 'submission.completed'],
    ['datalists-svc', queues.dataListForms, 'tenant.forms_resynced'],
  ] as const)('of %s comes back, and no event that follows is lost', async (service, queue, type) => {
    const [producer, consumer] = [await brokerOf('submissions-svc'), await brokerOf(service)];
    const seen = new Set<string>();
    consumer.consume(queue, { prefetch: 10 }, ({ messageId }) => {
      seen.add(messageId);
      return Promise.resolve('ack');
    });
    /** Sends like the outbox: what is not confirmed is sent again. */
    async function send(messageId: string): Promise<string> {
      const one = { ...message(type), messageId };
      await eventually(async () => (await producer.publish([one]))[0]!.ok);
      return messageId;
    }
    await eventually(async () => seen.has(await send(`before ${service}`)));
    await deleteQueue(queue);
    const ids = Array.from({ length: 200 }, (_, n) => `${n} ${service}`);
    await Promise.all(ids.map(send));
    await eventually(() => ids.every((id) => seen.has(id)));
    await eventually(() => expect(consumer.faults()).toEqual([]));
  });

  it('for retries comes back with the next retry', async () => {
    const queue = queues.webhookDeliveries;
    const consumer = await brokerOf('webhook-relay-svc');
    await deleteQueue(retryQueueName(queue, 1_000));
    const counts: number[] = [];
    consumer.consume(queue, { prefetch: 10 }, ({ deliveryCount }) => {
      counts.push(deliveryCount);
      return Promise.resolve(deliveryCount === 0 ? { retryInMs: 1_000 } : 'ack');
    });
    await consumer.publish([message(queue, exchanges.queues)]);
    await eventually(() => expect(counts).toEqual([0, 1]));
  });

  it('for dead letters comes back with the next connection of the relay', async () => {
    await deleteQueue(queues.dead);
    const relay = await brokerOf('webhook-relay-svc');
    expect(relay.faults()).toEqual([]);
    const lists = await brokerOf('datalists-svc');
    lists.consume(queues.dataListForms, { prefetch: 1 }, () => Promise.resolve('dead'));
    const producer = await brokerOf('submissions-svc');
    await producer.publish([message('tenant.forms_resynced')]);
    await eventually(async () => ((await relay.depths([queues.dead])).get(queues.dead) ?? 0) >= 1);
  });

  it('is a fault of a service that may not declare it, until it exists again', async () => {
    await deleteQueue(queues.webhookDeliveries);
    const broker = await brokerOf('submissions-svc');
    expect(broker.faults()).toEqual([expect.stringContaining(`queue ${queues.webhookDeliveries}`)]);
    await provision();
    await eventually(() => expect(broker.faults()).toEqual([]));
  });
});

describe('two installations on one server', () => {
  const [other, otherPassword] = [`${suffix}_b`, 'another-password'];
  const named = (prefix: string) =>
    users.map((user) => ({ ...user, user: `${prefix}_${user.schema}`, password: otherPassword }));
  const provisionIn = (virtualHost: string, logins: typeof users) =>
    provisionBroker({ managementUrl: vhost.managementUrl, virtualHost }, serviceTopology, logins);

  it('run in two virtual hosts with users of their own', async () => {
    const host = await testVhost();
    await provisionIn(host.name, named(other));
    const open = (virtualHost: string) => {
      const url = new URL(vhost.url);
      [url.username, url.password, url.pathname] = [`${other}_submissions`, otherPassword, `/${virtualHost}`];
      return connect(url.href);
    };
    await (await open(host.name)).close();
    await expect(open(vhost.name)).rejects.toThrow(/ConnectionClose|access/i);
    for (const { user } of named(other)) await vhost.api('DELETE', `/users/${user}`);
    await host.drop();
  });

  it('may not have one user', async () => {
    const host = await testVhost();
    await expect(provisionIn(host.name, named(suffix))).rejects.toThrow(
      `The user ${suffix}_submissions belongs to an installation in the virtual host ${vhost.name} of this server.`,
    );
    await (await brokerOf('submissions-svc')).whenConnected(); // with its password of before
    await host.drop();
  });

  it('may not have one virtual host', async () => {
    await expect(provisionIn(vhost.name, named(other))).rejects.toThrow(
      `The virtual host ${vhost.name} belongs to an installation with the user ${suffix}_submissions.`,
    );
    await expect(vhost.api('GET', `/users/${other}_submissions`)).rejects.toThrow('404');
  });
});

it('keeps the queues of an earlier build as they are', async () => {
  const earlier = serviceTopology.queues.filter((queue) => queue.earlier !== undefined);
  expect(earlier.length).toBeGreaterThan(0);
  const other = await testVhost();
  const connection = await connect(other.url);
  const channel = await connection.createChannel();
  for (const queue of earlier) await channel.assertQueue(queue.name, { arguments: queue.earlier });
  await connection.close();
  await provisionBroker({ managementUrl: other.managementUrl, virtualHost: other.name }, serviceTopology, []);
  // A user with all rights, which declares everything.
  const broker = createBroker(
    { Url: other.url },
    { name: 'spec', topology: serviceTopology, logger: silent },
  );
  await broker.whenConnected();
  expect(broker.faults()).toEqual([]);
  await broker.close();
  await other.drop();
});
