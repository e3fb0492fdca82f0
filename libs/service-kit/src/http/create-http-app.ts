import type { Authenticator } from '@canvass/auth';
import { Problem } from '@canvass/errors';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { shownIdOf, withContext, type RequestContext } from '../context/request-context';
import { createHealthResponders, type HealthPaths, type HealthRegistry, type Responder } from '../health';
import type { Logger } from '../logging/logger';
import type { Metrics } from '../metrics/metrics';
import type { Tracing } from '../tracing';
import { assertGuarded, type ServiceTokenVerifier } from './access';
import type { Endpoint } from './endpoint';
import { endpointsByPath } from './endpoints-by-path';
import { problemOf, sendProblem, type MapError } from './problem-json';
import { createRequestWatch, notesOf } from './request-log';
import { beginScope } from './request-scope';
import { createRouteFinder } from './route-finder';
import { serve, type Serve } from './serve';
import { readTarget } from './target';

export interface HttpAppOptions {
  /** Shown on the health page. */
  name?: string;
  endpoints: readonly Endpoint[];
  health: HealthRegistry;
  healthPaths?: HealthPaths;
  logger: Logger;
  metrics: Metrics;
  tracing?: Tracing;
  authenticator?: Authenticator | undefined;
  serviceTokens?: ServiceTokenVerifier | undefined;
  /** Converts errors of libraries to problems, for example errors of Postgres by SQLSTATE. */
  mapError?: MapError | undefined;
  /** What is answered like health, without the request log, by path (`/metrics` on the internal listener). */
  probes?: Readonly<Record<string, Responder>>;
  /** While it returns false, business routes respond with 503. Default: always true. */
  ready?: () => boolean;
}

/** The operations of a path. */
interface PathRoute {
  pattern: string;
  /** By method. HEAD is served as GET; Node leaves out the body. */
  operations: ReadonlyMap<string, Serve>;
  /** The value of `Allow`. */
  allow: string;
}

/**
 * Creates the handler of a listener. `respond` has all steps of a request, in their order. An error of a step
 * becomes a response in problem+json (RFC 9457).
 */
export function createHttpApp(options: HttpAppOptions): RequestListener {
  const { endpoints, health, mapError, name = 'service', ready = () => true } = options;
  assertGuarded(endpoints, options);
  const probes = new Map([
    ...createHealthResponders(health, name, options.healthPaths),
    ...Object.entries(options.probes ?? {}),
  ]);
  const watch = createRequestWatch(options.logger, options.metrics, options.tracing);
  const findRoute = createRouteFinder(endpointsByPath(endpoints).map((ofPath) => routeOf(ofPath, options)));

  async function respond(
    request: IncomingMessage,
    response: ServerResponse,
    context: RequestContext,
  ): Promise<void> {
    const target = readTarget(request.url ?? '');
    const probe = target instanceof Problem ? undefined : probes.get(target.path);
    if (probe !== undefined) return probe(request, response);

    watch(request, response, context);
    if (!ready()) {
      throw new Problem('service_unavailable', {
        detail: 'The service is starting; try again in a moment.',
        headers: { 'Retry-After': '1' },
      });
    }
    if (target instanceof Problem) throw target;
    const route = findRoute(target.segments);
    if (route === undefined) throw new Problem('not_found', { detail: 'There is no such path.' });
    const operation = route.operations.get(request.method ?? '');
    if (operation !== undefined) return operation(request, response, target.segments);
    if (request.method !== 'OPTIONS')
      throw new Problem('method_not_allowed', { headers: { Allow: route.allow } });
    response.writeHead(204, { Allow: route.allow }).end();
  }

  return (request, response) => {
    const context = beginScope(request, response);
    void withContext(context, () =>
      respond(request, response, context)
        .catch((error: unknown) => refuse(response, context, error, mapError))
        // Of a problem with a header that cannot be sent: the process must not end by it.
        .catch((error: unknown) => {
          notesOf(response).error = error;
          response.destroy();
        }),
    );
  };
}

function routeOf(ofPath: readonly Endpoint[], options: HttpAppOptions): PathRoute {
  const operations = new Map(
    ofPath.map((endpoint) => [endpoint.method.toUpperCase(), serve(endpoint, options)]),
  );
  const get = operations.get('GET');
  if (get !== undefined) operations.set('HEAD', get);
  const allow = [...operations.keys(), 'OPTIONS'].sort().join(', ');
  return { pattern: ofPath[0]!.path, operations, allow };
}

function refuse(
  response: ServerResponse,
  context: RequestContext,
  error: unknown,
  mapError: MapError | undefined,
): void {
  const notes = notesOf(response);
  const problem = problemOf(error, mapError);
  if (problem === null || response.destroyed) {
    response.destroy();
    return;
  }
  notes.errorCode = problem.errorCode;
  if (problem.status >= 500) notes.error = error instanceof Problem ? (error.cause ?? undefined) : error;
  sendProblem(response, problem, shownIdOf(context));
}
