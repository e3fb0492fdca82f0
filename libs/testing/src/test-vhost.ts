import { randomBytes } from 'node:crypto';
import { request } from 'undici';
import { testServers } from './config';

export interface TestVhost {
  /** AMQP URL with the virtual host. */
  url: string;
  name: string;
  /**
   * Calls the management API. `path` is relative to `/api`, and `:vhost` in it stands for this virtual host.
   * Returns the parsed JSON, or null for an empty body. A status from 400 is an error.
   */
  api(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown>;
  /**
   * Makes the broker close every connection to this virtual host. Returns the number of connections that it
   * listed.
   */
  closeConnections(): Promise<number>;
  drop(): Promise<void>;
}

interface ListedConnection {
  name: string;
  vhost: string;
}

/** Creates a RabbitMQ virtual host, so that spec files can run in parallel on one broker. */
export async function testVhost(): Promise<TestVhost> {
  const name = `test-${randomBytes(6).toString('hex')}`;
  const management = new URL(testServers.amqpManagementUrl);
  const user = decodeURIComponent(management.username);
  const authorization = `Basic ${Buffer.from(`${user}:${decodeURIComponent(management.password)}`).toString('base64')}`;

  const api: TestVhost['api'] = async (method, path, body) => {
    const url = `${management.origin}/api${path.replace(':vhost', name)}`;
    const answer = await request(url, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 400) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    return text === '' ? null : (JSON.parse(text) as unknown);
  };

  await api('PUT', '/vhosts/:vhost', {});
  await api('PUT', `/permissions/:vhost/${encodeURIComponent(user)}`, {
    configure: '.*',
    write: '.*',
    read: '.*',
  });

  const url = new URL(testServers.amqpUrl);
  url.pathname = `/${name}`;

  return {
    url: url.href,
    name,
    api,
    async closeConnections() {
      // The list per virtual host lags by seconds, so the list of all connections is filtered.
      const all = (await api('GET', '/connections')) as ListedConnection[];
      const ours = all.filter((connection) => connection.vhost === name);
      for (const connection of ours) {
        await api('DELETE', `/connections/${encodeURIComponent(connection.name)}`).catch((error: unknown) => {
          if (!String(error).includes(' 404 ')) throw error;
        });
      }
      return ours.length;
    },
    async drop() {
      await api('DELETE', '/vhosts/:vhost');
    },
  };
}
