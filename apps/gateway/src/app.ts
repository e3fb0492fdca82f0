import { createRequestWatch, type ServiceContext, type ServiceParts } from '@canvass/service-kit';
import { assetsHandler, loadAssets } from './assets';
import { serviceNames, type GatewaySettings } from './config';
import { createDownstreamChecks } from './downstream';
import { createEdge, edgeHandler } from './edge';
import {
  allow,
  createForward,
  createIntercept,
  createUpstream,
  observeUpstreams,
  refusalHandler,
} from './forwarding';
import { createRouteFinder, routeTable, type Route } from './routing';

/** The gateway, for main.ts and for every test. A test may bring a table of its own. */
export function createApp(
  settings: GatewaySettings,
  { health, logger, metrics, tracing }: Pick<ServiceContext, 'health' | 'logger' | 'metrics' | 'tracing'>,
  table: readonly Route[] = routeTable,
): ServiceParts {
  const upstreams = Object.fromEntries(
    serviceNames.flatMap((name) => {
      const baseUrls = settings.Services[name];
      return baseUrls === undefined ? [] : [[name, createUpstream(baseUrls, settings)]];
    }),
  );
  const downstream = createDownstreamChecks(settings);
  for (const check of downstream.checks) health.register(check);
  health.register({
    name: 'routing',
    tags: ['ready'],
    check: () => Promise.resolve({ status: 'Healthy', data: { routes: table.length } }),
  });
  const served = table.filter(({ service }) => upstreams[service] !== undefined);
  const findRoute = createRouteFinder(served);
  const edge = createEdge(settings.Cors.Origins, allow);

  return {
    endpoints: [],
    intercept: createIntercept({
      findRoute,
      upstreams,
      forward: createForward(settings, metrics),
      edge,
      counts: observeUpstreams(metrics, upstreams),
      watch: createRequestWatch(logger, metrics, tracing),
    }),
    beforeRoutes: [edgeHandler(edge), assetsHandler(loadAssets()), refusalHandler(findRoute)],
    async stop() {
      await Promise.all([
        ...Object.values(upstreams).map((upstream) => upstream.close()),
        downstream.close(),
      ]);
    },
  };
}
