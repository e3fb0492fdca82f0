import path from 'node:path';
import { composeServers } from './compose';
import { PortBook } from './ports';
import { PostgresServer } from './postgres-server';
import type { BrokerServer, InfraOptions, InfraServer, PrivateServerOptions } from './private-server';
import { RabbitServer } from './rabbitmq-server';

/** The servers of a stack; nothing is started yet. */
export interface Infra {
  postgres: InfraServer;
  rabbitmq: BrokerServer;
  /** The place they come from, for a person. */
  description: string;
}

/** A server that others run and that is named by URL: it is not started or stopped. */
class ExternalServer implements BrokerServer {
  constructor(
    readonly url: string,
    readonly managementUrl: string | null = null,
  ) {}

  pid = () => null;
  alive = () => true;
  start = async () => undefined;
  stop = async () => undefined;
  signal = () => undefined;
}

/**
 * Chooses for each of both: the external one, else a container where a Docker engine answers, else a
 * private one.
 */
export async function acquireInfra(options: InfraOptions): Promise<Infra> {
  const { databaseUrl, amqpUrl, amqpManagementUrl } = options.given;
  const postgres = databaseUrl ? new ExternalServer(databaseUrl) : null;
  const rabbitmq = amqpUrl ? new ExternalServer(amqpUrl, amqpManagementUrl ?? null) : null;
  if (postgres && rabbitmq)
    return { postgres, rabbitmq, description: 'PostgreSQL and RabbitMQ given by URL' };
  const containers = options.privateOnly ? null : await composeServers(options);
  const own = containers ?? privateServers(options);
  const source = containers ? 'in containers' : 'private';
  return {
    postgres: postgres ?? own.postgres,
    rabbitmq: rabbitmq ?? own.rabbitmq,
    description: `PostgreSQL ${postgres ? 'given by URL' : source}, RabbitMQ ${rabbitmq ? 'given by URL' : source}`,
  };
}

/** The private servers of a stack folder; nothing is started yet. */
export function privateServers(options: PrivateServerOptions & { postgresPassword: string | null }): {
  postgres: PostgresServer;
  rabbitmq: RabbitServer;
} {
  const ports = options.ports ?? new PortBook(path.join(options.dir, 'ports.json'));
  return {
    postgres: new PostgresServer({ ...options, ports }, options.postgresPassword),
    rabbitmq: new RabbitServer({ ...options, ports }),
  };
}

/** Private servers of a stack folder that live although nothing supervises them. */
export function livingServers(dir: string): InfraServer[] {
  const { postgres, rabbitmq } = privateServers({ dir, ephemeral: false, postgresPassword: null });
  return [postgres, rabbitmq].filter((server) => server.alive());
}
