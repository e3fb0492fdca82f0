import type { ServiceContext, ServiceParts } from '@canvass/service-kit';
import { assetsHandler, loadAssets } from './assets';
import { serviceNames, type GatewaySettings } from './config';
import { createDownstreamChecks } from './downstream';
import { edgeHandlers } from './edge';
import { allowedMethods, createForward, createUpstream, forwardingHandler } from './forwarding';
import { createRouteFinder, routeTable, type Route } from './routing';

/** The gateway, for main.ts and for every test. A test may bring a table of its own. */
export function createApp(
  settings: GatewaySettings,
  { health, metrics }: Pick<ServiceContext, 'health' | 'metrics'>,
  table: readonly Route[] = routeTable,
): ServiceParts {
  const upstreams = Object.fromEntries(
    serviceNames.flatMap((name) => {
      const baseUrl = settings.Services[name];
      return baseUrl === undefined ? [] : [[name, createUpstream(baseUrl, settings)]];
    }),
  );
  const downstream = createDownstreamChecks(settings);
  for (const check of downstream.checks) health.register(check);
  health.register({
    name: 'routing',
    tags: ['ready'],
    check: () => Promise.resolve({ status: 'Healthy', data: { routes: table.length } }),
  });

  return {
    endpoints: [],
    beforeRoutes: [
      ...edgeHandlers(settings.Cors.Origins, allowedMethods),
      assetsHandler(loadAssets()),
      forwardingHandler(createRouteFinder(table), upstreams, createForward(settings, metrics)),
    ],
    async stop() {
      await Promise.all([
        ...Object.values(upstreams).map((upstream) => upstream.close()),
        downstream.close(),
      ]);
    },
  };
}
