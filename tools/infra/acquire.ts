import { composeServers } from './compose';
import { GivenServer } from './given-server';
import type { PortBook } from './ports';
import { privateServers } from './private-servers';
import type { InfraServer } from './private-server';

export interface InfraOptions {
  dir: string;
  ports: PortBook;
  ephemeral: boolean;
  /** For a server we make; null = it asks for none. */
  postgresPassword: string | null;
  say(line: string): void;
}

export interface BrokerServer extends InfraServer {
  /** Base URL of the management API with its login; null when the broker was given without one. */
  readonly managementUrl: string | null;
}

/** The servers of a stack; nothing is started yet. */
export interface Infra {
  postgres: InfraServer;
  rabbitmq: BrokerServer;
  /** Where they come from, for a person. */
  description: string;
}

/**
 * Chooses, for each of the two: the URL that was given (`DATABASE_URL`; `AMQP_URL` and `AMQP_MANAGEMENT_URL`), else a
 * container where a Docker engine answers, else a private server of our own.
 */
export async function acquireInfra(options: InfraOptions): Promise<Infra> {
  const { DATABASE_URL: databaseUrl, AMQP_URL: amqpUrl, AMQP_MANAGEMENT_URL: managementUrl } = process.env;
  const given = {
    postgres: databaseUrl ? new GivenServer(databaseUrl) : null,
    rabbitmq: amqpUrl ? new GivenServer(amqpUrl, managementUrl ?? null) : null,
  };
  if (given.postgres && given.rabbitmq) {
    return {
      postgres: given.postgres,
      rabbitmq: given.rabbitmq,
      description: 'PostgreSQL and RabbitMQ as given by URL',
    };
  }
  const own = (await composeServers(options)) ?? { ...privateServers(options), description: 'private' };
  return {
    postgres: given.postgres ?? own.postgres,
    rabbitmq: given.rabbitmq ?? own.rabbitmq,
    description: `PostgreSQL ${given.postgres ? 'given by URL' : own.description}, RabbitMQ ${given.rabbitmq ? 'given by URL' : own.description}`,
  };
}
