import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { PortBook } from '../../../tools/infra';
import { ownDatabase, ownVirtualHost } from '../../../tools/start/isolation';
import { loadSecrets } from '../../../tools/start/secrets';
import { ServiceSet } from '../../../tools/start/service-set';
import {
  provisionBrokerUsers,
  provisionServices,
  serviceNames,
  type ServiceEnvironments,
} from '../../../tools/start/services';
import type { Stack } from '../../../tools/start/stack';

/** Services with another configuration than the stack, without identity-svc. */
export interface OtherStack {
  file: {
    gatewayUrl: string;
    services: ReturnType<ServiceSet['running']>['services'];
    amqpUrl: string;
    amqpManagementUrl: string | null;
  };
  stop(): Promise<void>;
}

const name = 'other';

/**
 * Starts the other services on the servers of the stack, with a separate database and virtual host. Resolves
 * when all are ready.
 *
 * @param dir folder for logs, ports and secrets
 * @param env configuration, including `Service:Auth`
 */
export async function startOtherStack(
  { file }: Stack,
  dir: string,
  env: ServiceEnvironments,
): Promise<OtherStack> {
  mkdirSync(path.join(dir, 'run'), { recursive: true });
  const secrets = loadSecrets(dir, serviceNames);
  const databaseUrl = await ownDatabase(file.databaseUrl, name);
  await provisionServices(databaseUrl, secrets);
  const amqpUrl = await ownVirtualHost(file.amqpUrl, file.amqpManagementUrl, name);
  const broker = { amqpUrl, amqpManagementUrl: file.amqpManagementUrl };
  await provisionBrokerUsers(broker, secrets);
  const services = new ServiceSet({
    dir,
    services: serviceNames.filter((service) => service !== 'identity-svc'),
    env,
    ports: new PortBook(path.join(dir, 'ports.json')),
    secrets,
    say: (line) => console.error(line),
    changed: () => undefined,
  });
  const stop = () => services.stop();
  try {
    await services.start({ ...broker, databaseUrl });
  } catch (error) {
    await stop();
    throw error;
  }
  const gatewayUrl = services.urlOf('gateway');
  return {
    file: {
      gatewayUrl,
      services: services.running().services,
      amqpUrl,
      amqpManagementUrl: file.amqpManagementUrl,
    },
    stop,
  };
}
