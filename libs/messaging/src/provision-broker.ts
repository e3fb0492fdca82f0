import type { BrokerRights, Topology } from '@canvass/contracts';

export interface ProvisionedBroker {
  /** Base URL of the management API, with the login of an administrator. */
  managementUrl: string;
  /** The name as in the path of an AMQP URL: `/` or a name. It must exist. */
  virtualHost: string;
}

/** A user of RabbitMQ with its password. */
export type BrokerUser = Pick<BrokerRights, 'schema' | 'configure' | 'write' | 'read' | 'topics'> & {
  user: string;
  password: string;
};

/** The virtual host that an AMQP URL names. */
export function virtualHostOf(amqpUrl: string): string {
  return decodeURIComponent(new URL(amqpUrl).pathname.slice(1)) || '/';
}

const timeoutMs = 30_000;

/**
 * Declares the topology of a virtual host and creates the users, each with its rights there, by the
 * management API. It is safe to repeat, and sets passwords and rights again.
 *
 * @throws {Error} with path and status if a call fails; before any change if a user or the virtual host
 *   belongs to another installation
 */
export async function provisionBroker(
  { managementUrl, virtualHost }: ProvisionedBroker,
  { exchanges, queues, obsolete }: Topology,
  users: readonly BrokerUser[],
): Promise<void> {
  const host = encodeURIComponent(virtualHost);
  const call = caller(managementUrl);
  await requireOwn(call, virtualHost, users);
  for (const name of obsolete?.queues ?? []) await call('DELETE', `/queues/${host}/${name}`);
  for (const name of obsolete?.exchanges ?? []) await call('DELETE', `/exchanges/${host}/${name}`);
  const durable = { durable: true, auto_delete: false };
  for (const { name, type, arguments: args } of exchanges)
    await call('PUT', `/exchanges/${host}/${name}`, { type, ...durable, arguments: args });
  for (const { name, arguments: args, earlier, bindings } of queues) {
    const declareWith = (given: object) =>
      call('PUT', `/queues/${host}/${name}`, { ...durable, arguments: given });
    await declareWith(args).catch((error: unknown) => {
      if (!earlier || !(error as Error).message.includes('inequivalent')) throw error;
      return declareWith(earlier);
    });
    for (const { exchange, routingKey } of bindings)
      await call('POST', `/bindings/${host}/e/${exchange}/q/${name}`, { routing_key: routingKey });
  }
  for (const { user, password, configure, write, read, topics } of users) {
    const name = encodeURIComponent(user);
    await call('PUT', `/users/${name}`, { password, tags: '' });
    await call('PUT', `/permissions/${host}/${name}`, { configure, write, read });
    for (const topic of topics) await call('PUT', `/topic-permissions/${host}/${name}`, topic);
  }
}

/**
 * Refuses a user with rights in other virtual hosts but not in this one, and a virtual host with the users of
 * another prefix: two installations would read each other's events.
 */
async function requireOwn(call: Call, virtualHost: string, users: readonly BrokerUser[]): Promise<void> {
  const rights = (await call('GET', '/permissions')) as { user: string; vhost: string }[];
  for (const { user, schema } of users) {
    const hosts = rights.filter((right) => right.user === user).map(({ vhost }) => vhost);
    if (hosts.length > 0 && !hosts.includes(virtualHost))
      throw new Error(
        `The user ${user} belongs to an installation in the virtual host ${hosts[0]} of this server. Give this installation a prefix of its own (Service:Provision:Prefix).`,
      );
    const other = rights.find(
      (right) => right.vhost === virtualHost && right.user !== user && right.user.endsWith(`_${schema}`),
    );
    if (other)
      throw new Error(
        `The virtual host ${virtualHost} belongs to an installation with the user ${other.user}. Give this installation a virtual host of its own. If that one no longer exists, delete its users.`,
      );
  }
}

type Call = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>;

/** Calls of the management API, with the parsed answer; a DELETE of what does not exist succeeds. */
function caller(managementUrl: string): Call {
  const { origin, username, password } = new URL(managementUrl);
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const headers = {
    authorization: `Basic ${Buffer.from(login).toString('base64')}`,
    'content-type': 'application/json',
  };
  return async (method, path, body) => {
    const answer = await fetch(`${origin}/api${path}`, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await answer.text();
    if (answer.ok || (method === 'DELETE' && answer.status === 404))
      return method === 'GET' ? (JSON.parse(text) as unknown) : null;
    throw new Error(`RabbitMQ refused ${method} ${path}: ${answer.status} ${text}`);
  };
}
