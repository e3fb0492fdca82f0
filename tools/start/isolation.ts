import { brokerManagement } from '@canvass/testing';
import { withClient } from '../infra';

/** Creates a new database on a server that others use, and returns its URL. One with the same name is dropped. */
export async function ownDatabase(adminUrl: string, name: string): Promise<string> {
  await withClient(adminUrl, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name}`);
  });
  return withPath(adminUrl, name);
}

/**
 * Creates a virtual host on a broker that others use, and returns its URL.
 *
 * @throws {Error} when the broker has no management API
 */
export async function ownVirtualHost(
  amqpUrl: string,
  managementUrl: string | null,
  name: string,
): Promise<string> {
  if (managementUrl === null) throw new Error('a virtual host needs the management API of the broker');
  await brokerManagement(managementUrl).createVirtualHost(name);
  return withPath(amqpUrl, name);
}

function withPath(base: string, name: string): string {
  const url = new URL(base);
  url.pathname = `/${name}`;
  return url.href;
}
