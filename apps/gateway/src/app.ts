import { createAuthenticator, type Authenticator } from '@canvass/auth';
import {
  createHealthResponders,
  createRequestWatch,
  createRouteFinder,
  type ServiceContext,
  type ServiceParts,
} from '@canvass/service-kit';
import { loadAssets } from './assets';
import { createCallerResponder } from './caller';
import {
  consoleVariables,
  probePathsOf,
  serviceNames,
  type GatewayConfig,
  type GatewaySettings,
} from './config';
import { consoleConfiguration, consoleFolder, consolePolicy, loadConsole, providerOrigins } from './console';
import { createDownstreamChecks } from './downstream-checks';
import { createEdge } from './edge';
import { loadFormPages } from './form-page';
import { createUpstream, createUpstreamMetrics } from './forwarding';
import { createHandler } from './handler';
import { createAccountOf, createLimits, createRedisClient, observeLimits, type Limits } from './limiting';
import { createOwnPages } from './own-pages';
import { allow, maxImportBytes, routeTable, type Route } from './routing';

/** The parts that tests replace. */
export interface Outside {
  /** The route table. */
  table?: readonly Route[];
  /** The environment variables that the web console is configured by. */
  environment?: NodeJS.ProcessEnv;
  /** The folder of the web console; null: no console is served. */
  consoleFolder?: string | null;
}

/** Composes the gateway, for main.ts and for every test. */
export function createApp(
  config: GatewayConfig['Service'],
  { name, health, logger, metrics, tracing, signal }: ServiceContext,
  { table = routeTable, environment, consoleFolder: folder = consoleFolder ?? null }: Outside = {},
): ServiceParts {
  const { Gateway: settings, Hosting: hosting, Auth: auth } = config;
  const upstreams = Object.fromEntries(
    serviceNames.flatMap((service) => {
      const baseUrls = settings.Services[service];
      return baseUrls === undefined
        ? []
        : [[service, createUpstream(baseUrls, { ...settings, ...probePathsOf(settings, service) })]];
    }),
  );
  signal.addEventListener(
    'abort',
    () => void Promise.all(Object.values(upstreams).map((upstream) => upstream.endStreams())),
    { once: true },
  );
  const downstream = createDownstreamChecks(settings);
  for (const check of downstream.checks) health.register(check);
  health.register({
    name: 'routing',
    tags: ['ready'],
    check: () => Promise.resolve({ status: 'Healthy', data: { routes: table.length } }),
  });
  if (folder === null) logger.warn({}, 'there is no web console: `npx nx build console` makes it');
  let warnedOfProxy = false;
  const knowsIssuers = auth.Own !== undefined || auth.Providers.length > 0;
  const authenticator = knowsIssuers
    ? createAuthenticator(auth, { onWarning: (message, details) => logger.warn(details, message) })
    : null;
  const { limits, closeLimits } = limitsOf(settings, authenticator, { logger, metrics });
  const variables = consoleVariables(environment);

  return {
    handler: createHandler({
      settings,
      health: createHealthResponders(health, name, hosting),
      findOwnPage: createOwnPages({
        assets: loadAssets(settings, consoleConfiguration(config, variables, maxImportBytes)),
        findConsoleFile: folder === null ? () => undefined : loadConsole(folder, settings.PathPrefix),
        consolePolicy: consolePolicy(providerOrigins(config)),
        pathPrefix: settings.PathPrefix,
        formPages: folder === null ? null : loadFormPages(folder, settings, providerOrigins(config)),
        formsOf: upstreams['Submissions'],
        sendCaller:
          upstreams['Identity'] === undefined && authenticator !== null
            ? createCallerResponder(authenticator)
            : null,
      }),
      findRoute: createRouteFinder(table),
      upstreams,
      upstreamMetrics: createUpstreamMetrics(metrics, upstreams),
      edge: createEdge(settings.Cors.Origins, allow),
      limits,
      watch: createRequestWatch(logger, metrics, tracing),
      onUntrustedProxy() {
        if (warnedOfProxy) return;
        warnedOfProxy = true;
        logger.warn(
          {},
          'a request came through a proxy, but Service:Gateway:TrustedHops is 0: all clients of the proxy count as one address',
        );
      },
    }),
    connectionsPerAddress: settings.TrustedHops === 0 ? settings.MaxConnectionsPerAddress : 0,
    async stop() {
      closeLimits();
      await Promise.all([
        ...Object.values(upstreams).map((upstream) => upstream.close()),
        downstream.close(),
      ]);
    },
  };
}

/** The rate limits; null when all of them are turned off. */
function limitsOf(
  { RateLimits: settings, TrustedHops: trustedHops }: GatewaySettings,
  authenticator: Authenticator | null,
  { logger, metrics }: Pick<ServiceContext, 'logger' | 'metrics'>,
): { limits: Limits | null; closeLimits(): void } {
  const { PerAddress, PerAccount, PerFormToken, AnonymousCreates, AnonymousSaves } = settings;
  if (PerAddress + PerAccount + PerFormToken + AnonymousCreates + AnonymousSaves === 0)
    return { limits: null, closeLimits: () => undefined };
  const { onRefused, onRedis } = observeLimits(metrics, logger);
  const { Url, TimeoutMs } = settings.Redis;
  const redis = Url === undefined ? null : createRedisClient({ Url, TimeoutMs }, onRedis);
  const accountOf = createAccountOf(authenticator, settings.MostKeys);
  return {
    limits: createLimits({ settings, trustedHops, redis, accountOf, onRefused }),
    closeLimits: () => redis?.disconnect(),
  };
}
