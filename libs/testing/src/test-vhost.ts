import { randomBytes } from 'node:crypto';
import { request } from 'undici';
import { testServers } from './config';

export interface TestVhost {
  /** AMQP URL with the virtual host in it. */
  url: string;
  name: string;
  /**
   * One call of the management API, `path` below `/api`, in which `:vhost` stands for this virtual host. The answer is
   * the parsed JSON, null for an empty one; a status of 400 and more is an error.
   */
  api(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown>;
  /** Ends every connection to this virtual host from the broker's side; gives their number once they were listed. */
  closeConnections(): Promise<number>;
  drop(): Promise<void>;
}

interface ListedConnection {
  name: string;
  vhost: string;
}

/** A RabbitMQ virtual host of its own, so that spec files can run side by side on one broker. */
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
      // Statistics lag by seconds, so the list is filtered here rather than asked for by virtual host.
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
