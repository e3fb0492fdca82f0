import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { connect } from 'amqplib';
import { checkoutDir } from '@canvass/infra';

/** Where a measurement was made, without anything that names the machine. */
export interface Conditions {
  machine: string;
  versions: string;
}

/** Asks the servers for their versions while they run. */
export async function conditionsOf(databaseUrl: string, amqpUrl: string): Promise<Conditions> {
  const cpus = os.cpus();
  const model = cpus[0]?.model.trim() ?? 'unknown processor';
  const memory = Math.round(os.totalmem() / 1024 ** 3);
  return {
    machine: `${model}, ${cpus.length} ${cpus.length === 1 ? 'core' : 'cores'}, ${memory} GB memory`,
    versions: [
      `Node ${process.versions.node}`,
      `PostgreSQL ${await postgresVersion(databaseUrl)}`,
      `RabbitMQ ${await rabbitVersion(amqpUrl)}`,
      ...['express', 'pg', 'undici', 'amqplib'].map((name) => `${name} ${installedVersion(name)}`),
    ].join(', '),
  };
}

async function postgresVersion(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  await client.end();
  return rows[0]?.server_version.split(' ')[0] ?? '';
}

async function rabbitVersion(url: string): Promise<string> {
  const connection = await connect(url);
  const { serverProperties } = connection.connection as unknown as {
    serverProperties: { version?: unknown };
  };
  await connection.close();
  return String(serverProperties.version);
}

function installedVersion(name: string): string {
  const file = path.join(checkoutDir, 'node_modules', name, 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
