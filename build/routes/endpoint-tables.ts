import {
  createMetrics,
  noTracing,
  HealthRegistry,
  silentLogger,
  type Endpoint,
  type Metrics,
  type ServiceConfig,
  type ServiceContext,
  type ServiceDefinition,
  type ServiceParts,
} from '@canvass/service-kit';
import path from 'node:path';

/** The endpoints of one service, as it is composed. */
export interface EndpointTable {
  public: readonly Endpoint[];
  internal: readonly Endpoint[];
}

/** Nothing listens at port 1: the services are put together and never started. */
const nowhere = {
  Database: { Url: 'postgres://nouser@127.0.0.1:1/none' },
  Broker: { Url: 'amqp://127.0.0.1:1' },
  Auth: {
    Own: { JwksUri: 'http://127.0.0.1:1/jwks.json', RevocationsUri: 'http://127.0.0.1:1/revocations' },
  },
  Encryption: { Keys: [`k1:${Buffer.alloc(32, 1).toString('base64')}`] },
  Internal: { Secret: 'a-secret-of-the-services-for-tests-only' },
};
const { Database, Broker, Auth, Encryption, Internal } = nowhere;

/** The services by app: its name in the gateway's table, and what its configuration must have. */
export const services: Record<string, { name: string; settings: object }> = {
  'submissions-svc': { name: 'Submissions', settings: nowhere },
  'datalists-svc': {
    name: 'DataLists',
    settings: { Database, Broker, Auth, Internal, FormAccess: { JwksUri: Auth.Own.JwksUri } },
  },
  'webhook-relay-svc': {
    name: 'WebHookRelay',
    settings: { ...nowhere, Settings: { BaseUrl: 'http://127.0.0.1:1' } },
  },
  'identity-svc': { name: 'Identity', settings: { Database, Auth, Encryption, Internal } },
};

const apps = path.resolve(__dirname, '../../apps');

/**
 * Returns what a module of an app exports. By path: the fences keep build steps and apps from knowing each
 * other's types.
 */
export async function exportsOf(app: string, file: string): Promise<Record<string, unknown>> {
  return (await import(path.join(apps, app, 'src', file))) as Record<string, unknown>;
}

/** The endpoint tables of all services by app, each constructed from its service definition. */
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

/**
 * An app, constructed from its service definition, never started and already stopped, with the metrics it
 * registers.
 */
export async function composed(
  app: string,
  { settings }: { settings: object },
): Promise<{ parts: ServiceParts; metrics: Metrics }> {
  const { service } = (await exportsOf(app, 'service.ts')) as {
    service: ServiceDefinition<ServiceConfig>;
  };
  const { value, error } = service.configSchema.validate({
    Service: { Hosting: {}, Logging: {}, ...settings },
  });
  if (error !== undefined) throw error;
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
  const parts = await service.create(value.Service, context);
  stopping.abort();
  await parts.stop?.();
  return { parts, metrics };
}
