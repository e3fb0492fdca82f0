import { Client } from 'pg';

/**
 * Runs `use` with a connection, which it closes afterwards.
 *
 * @param connectMs time limit of the connect; 0 for none
 */
export async function withClient<T>(
  url: string,
  use: (client: Client) => Promise<T>,
  connectMs = 0,
): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectMs });
  client.on('error', () => undefined); // the server may be restarted; the next query reports it
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
