import type { Authenticator } from '@canvass/auth';
import { Problem } from '@canvass/errors';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { currentContext, shownIdOf } from '../context/request-context';
import { createHealthResponders, healthRoutes, type HealthPaths, type HealthRegistry } from '../health';
import type { Logger } from '../logging/logger';
import type { Metrics } from '../metrics/metrics';
import type { Tracing } from '../tracing';
import { assertGuarded, type ServiceTokenVerifier } from './access';
import type { Endpoint } from './endpoint';
import { endpointsByPath } from './endpoints-by-path';
import { problemOf, sendProblem, type MapError } from './problem-json';
import { createRequestWatch, notesOf, requestLog } from './request-log';
import { requestScope } from './request-scope';
import { otherMethods, serve } from './serve';

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
  /**
   * Handlers that run before the request log and the health endpoints (`/metrics` on the internal listener).
   */
  beforeHealth?: readonly RequestHandler[] | undefined;
  /** While it returns false, business routes respond with 503. Default: always true. */
  ready?: () => boolean;
}

/**
 * Creates an HTTP application. Order: request id and trace; health; log and metrics; 503 if the process is
 * not ready; the endpoints; 405 and 404; errors as problem+json (RFC 9457).
 */
export function createHttpApp(options: HttpAppOptions): Express {
  const { endpoints, health, logger, metrics, mapError, name = 'service' } = options;
  assertGuarded(endpoints, options);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag'); // ETags are revisions, not hashes
  app.enable('case sensitive routing');
  app.set('query parser', 'simple');

  app.use(requestScope);
  for (const handler of options.beforeHealth ?? []) app.use(handler);
  app.use(healthRoutes(createHealthResponders(health, name, options.healthPaths)));
  app.use(requestLog(createRequestWatch(logger, metrics, options.tracing)));
  app.use(untilReady(options.ready ?? (() => true)));

  for (const ofPath of endpointsByPath(endpoints)) {
    for (const endpoint of ofPath) app[endpoint.method](endpoint.path, serve(endpoint, options));
    app.all(ofPath[0]!.path, otherMethods(ofPath));
  }
  app.use(() => {
    throw new Problem('not_found', { detail: 'There is no such path.' });
  });
  app.use(errors(mapError));
  return app;
}

const untilReady =
  (ready: () => boolean): RequestHandler =>
  (_request, _response, next) => {
    if (ready()) return next();
    throw new Problem('service_unavailable', {
      detail: 'The service is starting; try again in a moment.',
      headers: { 'Retry-After': '1' },
    });
  };

/** Converts errors to responses. Express recognises an error handler by its four parameters. */
const errors =
  (mapError?: MapError): ErrorRequestHandler =>
  (error: unknown, _request, response, _next) => {
    const notes = notesOf(response);
    const problem = problemOf(error, mapError);
    if (problem === null || response.destroyed) {
      response.destroy();
      return;
    }
    notes.errorCode = problem.errorCode;
    if (problem.status >= 500) notes.error = error instanceof Problem ? (error.cause ?? undefined) : error;
    const context = currentContext();
    sendProblem(response, problem, context && shownIdOf(context));
  };
