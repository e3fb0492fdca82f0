import { spawn, type ChildProcess } from 'node:child_process';
import { openSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { provision } from '@canvass/postgres';
import { Client } from 'pg';
import { checkoutDir } from '@canvass/infra';
import {
  loadSecrets,
  ownDatabase,
  ownVirtualHost,
  serviceEnvironment,
  serviceNames,
  type StackAddresses,
} from '@canvass/stack';
import type { BenchRun } from './bench-run';
import type { Watched } from './process-usage';

const service = 'webhook-relay-svc';
const schema = 'webhooks';
const role = 'canvass_webhooks';

/** Relays that share a database and a virtual host with nobody else; they ask the stack's submissions-svc for settings. */
export interface RelayGroup {
  databaseUrl: string;
  amqpUrl: string;
  watched: Watched[];
}

/** Starts so many relays, with `env` over their usual configuration, beside those of the stack, which do not see their events. They end with the run. */
export async function startRelayGroup(
  run: BenchRun,
  name: string,
  count: number,
  env: Record<string, string> = {},
): Promise<RelayGroup> {
  const { file } = await run.stack();
  const secrets = loadSecrets(run.dir, serviceNames);
  const password = secrets.rolePasswords[service] ?? '';
  const databaseUrl = await ownDatabase(file.databaseUrl, name);
  await provision(databaseUrl, [{ schema, role, password }]);
  const amqpUrl = await ownVirtualHost(file.amqpUrl, file.amqpManagementUrl, name);
  const urls = Object.fromEntries(
    serviceNames.map((each) => {
      const { url, metricsUrl } = file.services[each];
      return [each, { url, internalUrl: new URL(metricsUrl).origin, copies: [url] }];
    }),
  ) as StackAddresses['urls'];
  const stack: StackAddresses = { urls, databaseUrl: () => asRole(databaseUrl, password), amqpUrl };
  const relays = Array.from({ length: count }, (_, n) => {
    const log = openSync(path.join(run.dir, 'logs', `${name}-${n + 1}.log`), 'w');
    return spawn(process.execPath, [path.join(checkoutDir, 'dist', 'apps', service, 'main.js')], {
      env: {
        PATH: process.env['PATH'],
        ...serviceEnvironment(service, { port: 0, internalPort: 0 }, stack, secrets),
        ...env,
      },
      stdio: ['ignore', log, log],
    });
  });
  run.atEnd(() => Promise.all(relays.map(ended)).then(() => undefined));
  await migrated(databaseUrl);
  return {
    databaseUrl,
    amqpUrl,
    watched: relays.map(({ pid }, n) => ({ name: count === 1 ? 'relay' : `relay ${n + 1}`, pid: pid ?? 0 })),
  };
}

/** Waits until the relays have made their tables. */
async function migrated(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const deadline = Date.now() + 60_000; ; await sleep(100)) {
      const { rows } = await client.query<{ there: boolean }>(
        `select to_regclass('webhooks.deliveries') is not null as there`,
      );
      if (rows[0]?.there) return;
      if (Date.now() > deadline) throw new Error('the relays did not make their tables within a minute');
    }
  } finally {
    await client.end();
  }
}

function asRole(databaseUrl: string, password: string): string {
  const url = new URL(databaseUrl);
  url.username = role;
  url.password = password;
  return url.href;
}

async function ended(relay: ChildProcess): Promise<void> {
  if (relay.exitCode !== null || relay.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => relay.once('exit', () => resolve()));
  relay.kill('SIGKILL'); // what it has in hand is of no use to anyone
  await gone;
}
