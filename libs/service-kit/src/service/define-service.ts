import type Joi from 'joi';
import type { HealthSettings, HostingSettings, LoggingSettings } from '../config/settings';
import type { Logger } from '../logging/logger';
import type { TracingSettings } from '../tracing';
import type { ServiceContext, ServiceParts } from './service';

/** The sections that the configuration of every service has. */
export interface ServiceConfig {
  Hosting: HostingSettings;
  Logging: LoggingSettings;
  Health?: HealthSettings;
  Tracing?: TracingSettings;
}

/** A command of the process: `main.js <name> …`. Returns the exit status. */
export type ServiceCommand<C> = (argv: string[], config: C) => Promise<number>;

/**
 * The definition of a service. `main.ts`, tests, and the tools that read endpoints, configuration and metrics
 * use it.
 *
 * @typeParam C the type of `Service` in the configuration
 * @typeParam O dependencies that tests replace (resolvers, clocks)
 */
export interface ServiceDefinition<C extends ServiceConfig, O = undefined> {
  name: string;
  configSchema: Joi.ObjectSchema<{ Service: C }>;
  /** Migrations of its schema, in order; empty for a service without a database. */
  migrations: readonly { name: string }[];
  commands?: Readonly<Record<string, ServiceCommand<C>>>;
  /** Constructs the parts without connecting to anything. The listeners open after it. */
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

/** Returns the definition, with its types inferred; see `libs/service-kit/README.md`. */
export const defineService = <C extends ServiceConfig, O = undefined>(
  definition: ServiceDefinition<C, O>,
): ServiceDefinition<C, O> => definition;
