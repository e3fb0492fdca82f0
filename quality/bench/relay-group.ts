import { checkoutDir, launch } from '@canvass/infra';
import {
  loadSecrets,
  ownDatabase,
  ownVirtualHost,
  provisionServices,
  serviceEnvironment,
  serviceNames,
  urlsOf,
} from '@canvass/stack';
import { eventually } from '@canvass/testing';
import { once } from 'node:events';
import path from 'node:path';
import type { Bench } from './bench';

const service = 'webhook-relay-svc';

/** Where relays take events from and record deliveries. */
export interface RelayAddresses {
  databaseUrl: string;
  amqpUrl: string;
}

/**
 * Starts so many relays with a database and a virtual host of their own beside those of the stack, whose
 * submissions-svc they ask for settings. They end with the bench.
 */
export async function startRelayGroup(bench: Bench, name: string, count: number): Promise<RelayAddresses> {
  const { file } = await bench.stack();
  const secrets = loadSecrets(bench.dir, serviceNames);
  const databaseUrl = await ownDatabase(file.databaseUrl, name);
  await provisionServices(databaseUrl, secrets);
  const amqpUrl = await ownVirtualHost(file.amqpUrl, file.amqpManagementUrl, name);
  const stack = { urls: urlsOf(file), databaseUrl, amqpUrl, amqpManagementUrl: null };
  const env = serviceEnvironment(service, { port: 0, internalPort: 0 }, stack, secrets);
  for (let n = 0; n < count; n++) {
    const relay = await launch({
      command: process.execPath,
      args: [path.join(checkoutDir, 'dist/apps', service, 'main.js')],
      env: { PATH: process.env['PATH'], ...env },
      cwd: bench.dir,
      logFile: path.join(bench.dir, 'logs', `${name}-${n}.log`),
      account: null,
    });
    bench.atEnd(async () => {
      const exit = once(relay, 'exit');
      if (relay.kill('SIGKILL')) await exit; // what it has in hand is of no further use
    });
  }
  const database = await bench.database(databaseUrl);
  await eventually(() => database.query('select from webhooks.deliveries limit 1'));
  return { databaseUrl, amqpUrl };
}
