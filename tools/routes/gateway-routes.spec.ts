import { createDatabase } from '@canvass/postgres';
import {
  createMetrics,
  defaultHealthPaths,
  HealthRegistry,
  silentLogger,
  type Endpoint,
  type ServiceContext,
  type ServiceParts,
} from '@canvass/service-kit';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type Joi from 'joi';

/**
 * The gateway's route table against the endpoint tables of the services, as they are composed: a route that somebody
 * adds to a service and forgets in the gateway cannot be reached, and one the gateway opens too widely can.
 */
const apps = path.resolve(__dirname, '../../apps');

interface Route {
  service: string;
  bodyLimit: { json: number };
}

interface Routing {
  routeTable: readonly Route[];
  createRouteFinder(table: readonly Route[]): (segments: string[]) => Route | undefined;
  readTarget(target: string): { segments: string[] };
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
const services: Record<string, { name: string; settings: object; build?: (create: unknown) => Build }> = {
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

let routing: Routing;
const tables = new Map<string, { public: readonly Endpoint[]; internal: readonly Endpoint[] }>();

async function exportsOf(app: string, file: string): Promise<Record<string, unknown>> {
  return (await import(path.join(apps, app, 'src', file))) as Record<string, unknown>;
}

async function endpointsOf(app: string): Promise<void> {
  const { settings, build } = services[app]!;
  const config = await exportsOf(app, 'config.ts');
  const schema = Object.entries(config).find(([key]) => /^(\w+C|c)onfigSchema$/.test(key))?.[1];
  const { value, error } = (schema as Joi.ObjectSchema<{ Service: unknown }>).validate({
    Service: { Hosting: {}, Logging: {}, ...settings },
  });
  if (error !== undefined) throw error;
  const { createApp } = await exportsOf(app, 'app.ts');
  const stopping = new AbortController();
  const context: ServiceContext = {
    name: app,
    logger: silentLogger,
    metrics: createMetrics(app),
    health: new HealthRegistry(),
    signal: stopping.signal,
  };
  const parts = await (build?.(createApp) ?? (createApp as Build))(value.Service, context);
  stopping.abort();
  await parts.stop?.();
  tables.set(app, { public: parts.endpoints, internal: parts.internalEndpoints ?? [] });
}

beforeAll(async () => {
  routing = (await exportsOf('gateway', 'routing/index.ts')) as unknown as Routing;
  await Promise.all(Object.keys(services).map(endpointsOf));
});

/** Where the gateway sends a request for this path. */
function routeOf(endpointPath: string): Route | undefined {
  const { segments } = routing.readTarget(endpointPath.replace(/:[A-Za-z]+/g, '7'));
  return routing.createRouteFinder(routing.routeTable)(segments);
}

it('is about every service there is', () => {
  const processes = readdirSync(apps).filter((app) => existsSync(path.join(apps, app, 'src/main.ts')));
  expect(processes.filter((app) => app !== 'gateway').sort()).toEqual(Object.keys(services).sort());
  for (const table of tables.values()) expect(table.public.length).toBeGreaterThan(0);
  expect(tables.get('submissions-svc')!.internal.length).toBeGreaterThan(0);
});

it.each(Object.keys(services))('every public route of %s leads to it through the gateway', (app) => {
  const astray = tables
    .get(app)!
    .public.filter(({ path: own }) => routeOf(own)?.service !== services[app]!.name)
    .map(({ method, path: own }) => `${method} ${own} → ${routeOf(own)?.service ?? 'nowhere'}`);
  expect(astray).toEqual([]);
});

it.each(Object.keys(services))('what a body of %s may have on purpose passes the gateway', (app) => {
  const cut = tables
    .get(app)!
    .public.filter(({ bodyLimit }) => typeof bodyLimit === 'number')
    .filter(({ path: own, bodyLimit }) => routeOf(own)!.bodyLimit.json < (bodyLimit as number))
    .map(({ method, path: own, bodyLimit }) => `${method} ${own}: ${bodyLimit}`);
  expect(cut).toEqual([]);
});

it('no internal route, metric or health page of a service can be reached', () => {
  const inside = [...tables.values()].flatMap(({ internal }) => internal.map(({ path: own }) => own));
  const paths = defaultHealthPaths;
  const health = [paths.HealthCheckPath, paths.LivenessPath, paths.ReadinessPath];
  const closed = [
    ...inside,
    '/internal',
    '/internal/x',
    '/metrics',
    ...health,
    '/health/detail',
    '/health/ui',
  ];
  expect(closed.filter((own) => routeOf(own) !== undefined)).toEqual([]);
});
