import { createAuthenticator, type AuthSettings } from '@canvass/auth';
import { createRequestWatch, type ServiceContext, type ServiceParts } from '@canvass/service-kit';
import { assetsHandler, loadAssets } from './assets';
import { probePathsOf, serviceNames, type GatewayConfig, type GatewaySettings } from './config';
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
import { createAccountOf, createLimits, createRedisClient, observeLimits, type Limits } from './limiting';
import { createRouteFinder, routeTable, type Route } from './routing';

/** What tests replace. */
export interface Outside {
  /** The route table. */
  table?: readonly Route[];
}

/** The gateway, for main.ts and for every test. */
export function createApp(
  { Gateway: settings, Auth: auth }: GatewayConfig['Service'],
  { health, logger, metrics, tracing }: ServiceContext,
  { table = routeTable }: Outside = {},
): ServiceParts {
  const upstreams = Object.fromEntries(
    serviceNames.flatMap((name) => {
      const baseUrls = settings.Services[name];
      return baseUrls === undefined
        ? []
        : [[name, createUpstream(baseUrls, { ...settings, ...probePathsOf(settings, name) })]];
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
  const { limits, closeLimits } = limitsOf(settings, auth, { logger, metrics });

  return {
    endpoints: [],
    intercept: createIntercept({
      findRoute,
      upstreams,
      forward: createForward(settings, metrics),
      edge,
      limits,
      counts: observeUpstreams(metrics, upstreams),
      clientIdleMs: settings.ClientIdleMs,
      watch: createRequestWatch(logger, metrics, tracing),
    }),
    beforeRoutes: [edgeHandler(edge), assetsHandler(loadAssets()), refusalHandler(findRoute)],
    async stop() {
      await Promise.all([
        ...Object.values(upstreams).map((upstream) => upstream.close()),
        downstream.close(),
        closeLimits(),
      ]);
    },
  };
}

/** The rate limits; null if all of them are turned off. */
function limitsOf(
  { RateLimits: settings, TrustedHops: trustedHops }: GatewaySettings,
  auth: AuthSettings,
  { logger, metrics }: Pick<ServiceContext, 'logger' | 'metrics'>,
): { limits: Limits | null; closeLimits(): void } {
  if (settings.PerAddress + settings.PerAccount + settings.PerFormToken === 0)
    return { limits: null, closeLimits: () => undefined };
  const { onRefused, onRedis } = observeLimits(metrics, logger);
  const { Url, TimeoutMs } = settings.Redis;
  const redis = Url === undefined ? null : createRedisClient({ Url, TimeoutMs }, onRedis);
  const knowsIssuers = auth.Own !== undefined || auth.Providers.length > 0;
  const authenticator = knowsIssuers
    ? createAuthenticator(auth, { onWarning: (message, details) => logger.warn(details, message) })
    : null;
  const accountOf = createAccountOf(authenticator, settings.MostKeys);
  return {
    limits: createLimits({ settings, trustedHops, redis, accountOf, onRefused }),
    closeLimits: () => redis?.disconnect(),
  };
}
