import { randomBytes } from 'node:crypto';
import { brokerManagement, type BrokerManagement } from './broker-management';
import { testServers } from './config';

export interface TestVhost {
  /** AMQP URL with the virtual host. */
  url: string;
  name: string;
  /** Base URL of the management API with its login. */
  managementUrl: string;
  /**
   * Calls the management API; `:vhost` in the path stands for this virtual host.
   */
  api: BrokerManagement['api'];
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
  const management = brokerManagement(testServers.amqpManagementUrl);
  await management.createVirtualHost(name);
  const api: TestVhost['api'] = (method, path, body) =>
    management.api(method, path.replace(':vhost', name), body);

  const url = new URL(testServers.amqpUrl);
  url.pathname = `/${name}`;

  return {
    url: url.href,
    name,
    managementUrl: testServers.amqpManagementUrl,
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
