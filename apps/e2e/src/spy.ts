import { stackFile } from './stack';

/**
 * A queue that receives a copy of every message of the broker: of each that a process publishes to any
 * exchange or queue, and of each that is delivered to a consumer (the firehose tracer of RabbitMQ).
 */
export interface Spy {
  /** Bodies, routing keys and headers of all messages since `startSpy`, as text. */
  messages(): Promise<string>;
  stop(): Promise<void>;
}

const queue = 'e2e-spy';
const maxMessages = 100_000;

export async function startSpy(): Promise<Spy> {
  const { amqpUrl, amqpManagementUrl } = await stackFile();
  if (amqpManagementUrl === null) throw new Error('The broker has no management API.');
  const management = new URL(amqpManagementUrl);
  const vhost = new URL(amqpUrl).pathname.slice(1) || '%2F';
  const login = Buffer.from(`${management.username}:${management.password}`).toString('base64');
  async function api(method: string, path: string, body: object): Promise<unknown> {
    const answer = await fetch(`${management.origin}/api/${path}`, {
      method,
      headers: { authorization: `Basic ${login}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  }
  await api('PUT', `queues/${vhost}/${queue}`, { durable: false, arguments: {} });
  await api('POST', `bindings/${vhost}/e/amq.rabbitmq.trace/q/${queue}`, { routing_key: '#' });
  await api('PUT', `vhosts/${vhost}`, { tracing: true });
  return {
    async messages() {
      const options = { count: maxMessages, ackmode: 'ack_requeue_true', encoding: 'auto' };
      return JSON.stringify(await api('POST', `queues/${vhost}/${queue}/get`, options));
    },
    async stop() {
      await api('PUT', `vhosts/${vhost}`, { tracing: false });
      await api('DELETE', `queues/${vhost}/${queue}`, {});
    },
  };
}
