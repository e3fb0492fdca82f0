import { createDatabase } from '@canvass/postgres';
import {
  createMetrics,
  noTracing,
  HealthRegistry,
  silentLogger,
  type Endpoint,
  type Metrics,
  type ServiceContext,
  type ServiceParts,
} from '@canvass/service-kit';
import path from 'node:path';
import type Joi from 'joi';

/** The endpoints of one service, as it is composed. */
export interface EndpointTable {
  public: readonly Endpoint[];
  internal: readonly Endpoint[];
}

type Build = (settings: unknown, context: ServiceContext) => ServiceParts | Promise<ServiceParts>;

/** Nothing listens at port 1: the services are put together and never started. */
const nowhere = {
  Database: { Url: 'postgres://nobody@127.0.0.1:1/none' },
  Broker: { Url: 'amqp://127.0.0.1:1' },
  Auth: { Own: { JwksUri: 'http://127.0.0.1:1/jwks.json' } },
  Encryption: { Keys: [`k1:${Buffer.alloc(32, 1).toString('base64')}`] },
  Internal: { Secret: 'a-secret-of-the-services-for-tests-only' },
};
const { Database, Broker, Auth, Encryption } = nowhere;

/** By app: its name in the gateway's table, what its configuration must have, and how it is built. */
export const services: Record<
  string,
  { name: string; settings: object; build?: (create: unknown) => Build }
> = {
  'submissions-svc': { name: 'Submissions', settings: nowhere },
  'datalists-svc': {
    name: 'DataLists',
    settings: { Database, Broker, Auth, FormAccess: { JwksUri: Auth.Own.JwksUri } },
  },
  'webhook-relay-svc': {
    name: 'WebHookRelay',
    settings: { ...nowhere, Settings: { BaseUrl: 'http://127.0.0.1:1' } },
  },
  'identity-svc': {
    name: 'Identity',
    settings: { Database, Auth, Encryption },
    build: (create) => (settings, context) =>
      (create as Build)({ settings, db: createDatabase(Database) }, context),
  },
};

const apps = path.resolve(__dirname, '../../apps');

/** What a module of an app exports. By path: the fences keep tools and apps from knowing each other's types. */
export async function exportsOf(app: string, file: string): Promise<Record<string, unknown>> {
  return (await import(path.join(apps, app, 'src', file))) as Record<string, unknown>;
}

/** The endpoint tables of all services by app, each put together by its own `createApp` and stopped unstarted. */
export async function endpointTables(): Promise<Map<string, EndpointTable>> {
  const tables = await Promise.all(
    Object.keys(services).map(async (app) => [app, await endpointsOf(app)] as const),
  );
  return new Map(tables);
}

async function endpointsOf(app: string): Promise<EndpointTable> {
  const { parts } = await composed(app, services[app]!);
  return { public: parts.endpoints ?? [], internal: parts.internalEndpoints ?? [] };
}

/** An app as its own `createApp` puts it together, never started and stopped already, with the metrics it registers. */
export async function composed(
  app: string,
  { settings, build }: Pick<(typeof services)[string], 'settings' | 'build'>,
): Promise<{ parts: ServiceParts; metrics: Metrics }> {
  const config = await exportsOf(app, 'config.ts');
  const schema = Object.entries(config).find(([key]) => /^(\w+C|c)onfigSchema$/.test(key))?.[1];
  const { value, error } = (schema as Joi.ObjectSchema<{ Service: unknown }>).validate({
    Service: { Hosting: {}, Logging: {}, ...settings },
  });
  if (error !== undefined) throw error;
  const { createApp } = await exportsOf(app, 'app.ts');
  const stopping = new AbortController();
  const metrics = createMetrics(app);
  const context: ServiceContext = {
    name: app,
    logger: silentLogger,
    metrics,
    tracing: noTracing,
    health: new HealthRegistry(),
    signal: stopping.signal,
  };
  const parts = await (build?.(createApp) ?? (createApp as Build))(value.Service, context);
  stopping.abort();
  await parts.stop?.();
  return { parts, metrics };
}
