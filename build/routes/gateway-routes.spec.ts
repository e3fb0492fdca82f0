import { createRouteFinder, defaultHealthPaths, readTarget, type Target } from '@canvass/service-kit';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { composed, endpointTables, exportsOf, services, type EndpointTable } from './endpoint-tables';

/**
 * The gateway's route table against the endpoint tables of the services, as they are composed: a route of a
 * service that the gateway lacks cannot be reached, and one that the gateway opens too widely can.
 */
const apps = path.resolve(__dirname, '../../apps');

interface Route {
  pattern: string;
  service: string;
  bodyLimit: { json: number };
}

interface Routing {
  routeTable: readonly Route[];
  keyedCreates: readonly { pattern: string }[];
}

let routing: Routing;
let tables: Map<string, EndpointTable>;

beforeAll(async () => {
  routing = (await exportsOf('gateway', 'routing/index.ts')) as unknown as Routing;
  tables = await endpointTables();
});

/** The route to which the gateway sends a request for this path. */
function routeOf(endpointPath: string): Route | undefined {
  const { segments } = readTarget(endpointPath.replace(/:[A-Za-z]+/g, '7')) as Target;
  return createRouteFinder(routing.routeTable)(segments);
}

it('is about every service there is', () => {
  const processes = readdirSync(apps).filter((app) => existsSync(path.join(apps, app, 'src/service.ts')));
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

const tooLargeForGateway = ({ public: endpoints }: Pick<EndpointTable, 'public'>): string[] =>
  endpoints
    .filter(({ bodyLimit }) => typeof bodyLimit === 'number')
    .filter(({ path: own, bodyLimit }) => routeOf(own)!.bodyLimit.json < (bodyLimit as number))
    .map(({ method, path: own, bodyLimit }) => `${method} ${own}: ${bodyLimit}`);

it.each(Object.keys(services))('what a body of %s may have on purpose passes the gateway', (app) => {
  expect(tooLargeForGateway(tables.get(app)!)).toEqual([]);
});

it('what submissions may have by the largest settings passes the gateway', async () => {
  const { settings } = services['submissions-svc']!;
  const largest = { MaxJsonDataBytes: 6 * 2 ** 20, MaxMetadataBytes: 2 ** 20 };
  const { parts } = await composed('submissions-svc', { settings: { ...settings, Submissions: largest } });
  const { endpoints = [] } = parts;
  expect(Math.max(...endpoints.map(({ bodyLimit }) => Number(bodyLimit ?? 0)))).toBe(22 * 2 ** 20);
  expect(tooLargeForGateway({ public: endpoints })).toEqual([]);
});

it('what may be sent twice with an Idempotency-Key is what takes one', () => {
  const takes = [...tables.values()]
    .flatMap((table) => table.public)
    .filter(({ method, idempotency }) => method === 'post' && idempotency !== undefined)
    .map(({ path: own }) => own);
  expect(routing.keyedCreates.map(({ pattern }) => pattern).sort()).toEqual(takes.sort());
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
