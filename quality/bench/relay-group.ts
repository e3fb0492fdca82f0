import { checkoutDir, launch } from '@canvass/infra';
import { provision } from '@canvass/postgres';
import {
  loadSecrets,
  ownDatabase,
  ownVirtualHost,
  serviceEnvironment,
  serviceNames,
  type StackAddresses,
} from '@canvass/stack';
import { eventually } from '@canvass/testing';
import { once } from 'node:events';
import path from 'node:path';
import type { Bench } from './bench';

const service = 'webhook-relay-svc';
const role = 'canvass_webhooks';

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
  const password = secrets.rolePasswords[service]!;
  const databaseUrl = await ownDatabase(file.databaseUrl, name);
  await provision(databaseUrl, [{ schema: 'webhooks', role, password }]);
  const amqpUrl = await ownVirtualHost(file.amqpUrl, file.amqpManagementUrl, name);
  const asRole = new URL(databaseUrl);
  [asRole.username, asRole.password] = [role, password];
  const urls = Object.fromEntries(
    serviceNames.map((each) => {
      const { url, metricsUrl } = file.services[each];
      return [each, { url, internalUrl: new URL(metricsUrl).origin, copies: [url] }];
    }),
  ) as StackAddresses['urls'];
  const stack: StackAddresses = { urls, databaseUrl: () => asRole.href, amqpUrl };
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
