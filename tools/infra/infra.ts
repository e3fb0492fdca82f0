import type { PortBook } from './ports';
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
