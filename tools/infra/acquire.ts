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
  /** Servers that someone else runs, by URL. */
  given: GivenUrls;
  /** No containers. */
  privateOnly?: boolean;
}

export interface GivenUrls {
  databaseUrl?: string | undefined;
  amqpUrl?: string | undefined;
  /** Base URL of the broker's management API, with its login. */
  amqpManagementUrl?: string | undefined;
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

/** Chooses, for each of the two: the one that was given, else a container where a Docker engine answers, else a private one. */
export async function acquireInfra(options: InfraOptions): Promise<Infra> {
  const { databaseUrl, amqpUrl, amqpManagementUrl } = options.given;
  const givenPostgres = databaseUrl ? new GivenServer(databaseUrl) : null;
  const givenBroker = amqpUrl ? new GivenServer(amqpUrl, amqpManagementUrl ?? null) : null;
  if (givenPostgres && givenBroker) {
    return {
      postgres: givenPostgres,
      rabbitmq: givenBroker,
      description: 'PostgreSQL and RabbitMQ given by URL',
    };
  }
  const containers = options.privateOnly ? null : await composeServers(options);
  const own = containers ?? { ...privateServers(options), description: 'private' };
  const source = (given: GivenServer | null) => (given ? 'given by URL' : own.description);
  return {
    postgres: givenPostgres ?? own.postgres,
    rabbitmq: givenBroker ?? own.rabbitmq,
    description: `PostgreSQL ${source(givenPostgres)}, RabbitMQ ${source(givenBroker)}`,
  };
}
