import { Client } from 'pg';

/** Creates a new database on a server that others use, and returns its URL. One with the same name is dropped. */
export async function ownDatabase(adminUrl: string, name: string): Promise<string> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  await client.query(`drop database if exists ${name} with (force)`);
  await client.query(`create database ${name}`);
  await client.end();
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
  const { origin, username, password } = new URL(managementUrl);
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const put = async (path: string, body: object) => {
    const answer = await fetch(`${origin}/api${path}`, {
      method: 'PUT',
      headers: {
        authorization: `Basic ${Buffer.from(login).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`PUT ${path}: ${answer.status} ${await answer.text()}`);
  };
  await put(`/vhosts/${name}`, {});
  await put(`/permissions/${name}/${username}`, { configure: '.*', write: '.*', read: '.*' });
  return withPath(amqpUrl, name);
}

function withPath(base: string, name: string): string {
  const url = new URL(base);
  url.pathname = `/${name}`;
  return url.href;
}
