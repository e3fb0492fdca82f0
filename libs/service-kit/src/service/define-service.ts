import type Joi from 'joi';
import type { HealthSettings, HostingSettings, LoggingSettings } from '../config/settings';
import type { Logger } from '../logging/logger';
import type { TracingSettings } from '../tracing';
import type { ServiceContext, ServiceParts } from './service';

/** What the configuration of every service has. */
export interface ServiceConfig {
  Hosting: HostingSettings;
  Logging: LoggingSettings;
  Health?: HealthSettings;
  Tracing?: TracingSettings;
}

/** A command of the process beside serving: `main.js <name> …`. Returns the exit status. */
export type ServiceCommand<C> = (argv: string[], config: C) => Promise<number>;

/**
 * A service, as `main.ts`, tests and the tools that read its endpoints, configuration and metrics use it.
 *
 * @typeParam C `Service` of its configuration
 * @typeParam O what tests replace of the outside world (resolvers, clocks)
 */
export interface ServiceDefinition<C extends ServiceConfig, O = undefined> {
  name: string;
  configSchema: Joi.ObjectSchema<{ Service: C }>;
  /** Migrations of its schema, in order; empty for a service without a database. */
  migrations: readonly { name: string }[];
  commands?: Readonly<Record<string, ServiceCommand<C>>>;
  /** Constructs everything and connects nothing: the listeners open after it. */
  create(config: C, context: ServiceContext, outside?: O): ServiceParts | Promise<ServiceParts>;
}

export interface StartOptions<C extends ServiceConfig, O> {
  service: Pick<ServiceDefinition<C, O>, 'name' | 'create'>;
  /** `Service` of the configuration. */
  config: C;
  outside?: O;
  /** Default: JSON lines on standard output. */
  logger?: Logger;
}

/** Types a definition; see `libs/service-kit/README.md`. */
export const defineService = <C extends ServiceConfig, O = undefined>(
  definition: ServiceDefinition<C, O>,
): ServiceDefinition<C, O> => definition;
