import { composeServers } from './compose';
import { GivenServer } from './given-server';
import type { Infra, InfraOptions } from './infra';
import { privateServers } from './private-servers';

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
