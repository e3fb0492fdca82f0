import { withTimeout } from '@canvass/async';
import { setTimeout as delay } from 'node:timers/promises';
import type { HostingSettings } from '../config/settings';
import { createHttpApp } from '../http';
import { HealthRegistry, loadHealthExtensions } from '../health';
import { createLogger } from '../logging/logger';
import { createMetrics } from '../metrics/metrics';
import { metricsResponder } from '../metrics/route';
import { createTracing } from '../tracing';
import { openListener, type Listener } from './listener';
import { observeConnections } from './observe-connections';
import type { ServiceConfig, StartOptions } from './define-service';
import type { RunningService, ServiceContext, ServiceParts } from './service';

/**
 * Maximum size of a request head, at the gateway and at a service. A service needs more, because the gateway
 * adds headers. A service that rejected the head would close the connection before the body, and the gateway
 * would see a broken connection.
 */
const gatewayMaxHeaderBytes = 16 * 1024;
const upstreamMaxHeaderBytes = 20 * 1024;

/**
 * Builds a service and opens its two listeners, without touching the process (signals, exit): for tests and
 * tools. Business routes answer 503 until `ready` resolves; health is correct from the first moment.
 */
export async function startService<C extends ServiceConfig, O>(
  options: StartOptions<C, O>,
): Promise<RunningService> {
  const { service, config } = options;
  const { name } = service;
  const { Hosting: hosting } = config;
  const logger = options.logger ?? createLogger(name, { level: config.Logging.Level });
  const stopping = new AbortController();
  const health = new HealthRegistry();
  health.state = 'starting';
  const context: ServiceContext = {
    name,
    logger,
    metrics: createMetrics(name),
    tracing: await createTracing(name, config.Tracing),
    health,
    signal: stopping.signal,
  };
  const extensions = await loadHealthExtensions(config.Health ?? { Checks: [] }, logger);
  const parts = await service.create(config, context, options.outside);
  extensions.addTo(health);
  const { outside, inside } = await openListeners(hosting, context, parts);
  logger.info({ port: outside.port, internalPort: inside.port }, 'listening');

  const ready = (async () => {
    await parts.start?.();
    if (health.state === 'starting') {
      health.state = 'serving';
      logger.info({}, 'ready');
    }
  })();
  ready.catch(() => undefined); // callers await `ready`; a failure before that is not "unhandled"

  let stopped: Promise<boolean> | undefined;
  const stop = async (reason: string): Promise<boolean> => {
    const wasServing = health.state === 'serving';
    health.state = 'draining';
    stopping.abort(new Error('The service is stopping.'));
    logger.info({ reason }, 'stopping');
    const seconds = hosting.ShutdownSeconds;
    const endsAt = performance.now() + seconds * 1000;
    const deadline = AbortSignal.timeout(seconds * 1000);
    // Requests may take three quarters of the time; the rest is for closing what the service has opened.
    const requestsDeadline = AbortSignal.timeout(seconds * 750);
    outside.beginDraining();
    if (wasServing) await delay(Math.min(hosting.DrainSeconds, seconds / 2) * 1000);
    const drained = await outside.close(requestsDeadline);
    const closed = await isDoneBy(endsAt, async () => {
      await ready.catch(() => undefined);
      await parts.stop?.();
    });
    inside.beginDraining();
    const whole = (await inside.close(deadline)) && drained && closed;
    await isDoneBy(endsAt, () => context.tracing.stop());
    logger[whole ? 'info' : 'error']({ whole }, 'stopped');
    return whole;
  };
  const anywhere = hosting.Host === '0.0.0.0' || hosting.Host === '::';
  const host = anywhere ? '127.0.0.1' : hosting.Host.includes(':') ? `[${hosting.Host}]` : hosting.Host;
  return {
    name,
    port: outside.port,
    internalPort: inside.port,
    url: `http://${host}:${outside.port}`,
    internalUrl: `http://${host}:${inside.port}`,
    ready,
    stop: (reason = 'asked') => (stopped ??= stop(reason)),
  };
}

async function openListeners(
  hosting: HostingSettings,
  context: ServiceContext,
  parts: ServiceParts,
): Promise<{ outside: Listener; inside: Listener }> {
  const ready = () => context.health.state !== 'starting';
  const common = {
    name: context.name,
    health: context.health,
    healthPaths: hosting,
    logger: context.logger,
    metrics: context.metrics,
    tracing: context.tracing,
    serviceTokens: parts.serviceTokens,
    authenticator: parts.authenticator,
    mapError: parts.mapError,
    ready,
  };
  const { endpoints = [], handler } = parts;
  if (endpoints.some(({ access }) => access === 'internal')) {
    throw new Error('An endpoint with the access "internal" belongs among the internalEndpoints.');
  }
  const publicHandler = handler ?? createHttpApp({ ...common, endpoints });
  const internalHandler = createHttpApp({
    ...common,
    endpoints: parts.internalEndpoints ?? [],
    healthPaths: { ...hosting, PublicHealthDetails: true },
    probes: { '/metrics': metricsResponder(context.metrics) },
  });
  const listeners: { public?: Listener; internal?: Listener } = {};
  const onClosed = observeConnections(
    context.metrics,
    context.logger,
    (port) => listeners[port]?.connections ?? 0,
  );
  const at = (key: 'Port' | 'InternalPort') => ({
    host: hosting.Host,
    port: hosting[key],
    key: `Service:Hosting:${key}`,
    maxConnections: hosting.MaxConnections,
    maxHeaderSize: handler === undefined ? upstreamMaxHeaderBytes : gatewayMaxHeaderBytes,
    onClosed: onClosed(key === 'Port' ? 'public' : 'internal'),
  });
  const inside = (listeners.internal = await openListener({
    ...at('InternalPort'),
    handler: internalHandler,
  }));
  try {
    const { connectionsPerAddress } = parts;
    listeners.public = await openListener({ ...at('Port'), handler: publicHandler, connectionsPerAddress });
    return { inside, outside: listeners.public };
  } catch (error) {
    await inside.close(AbortSignal.timeout(0));
    throw error;
  }
}

/** Returns whether `work` finishes without an error before `endsAt` (a time of `performance.now()`). */
const isDoneBy = (endsAt: number, work: () => Promise<void>): Promise<boolean> =>
  withTimeout(work, Math.max(0, endsAt - performance.now())).then(
    () => true,
    () => false,
  );
