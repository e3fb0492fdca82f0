import { Problem } from '@canvass/errors';
import type { RequestHandler, Response } from 'express';
import { defaultHealthPaths } from '../config/settings';
import { currentContext } from '../context/request-context';
import { tellAnswerBegun } from '../http/answer-begun';
import type { HttpOperation } from '../http/endpoint';
import { sendProblem } from '../http/problem-json';
import { assertParameters } from '../http/validate';
import { healthOperations, type HealthPaths } from './operations';
import { pagePolicy, renderPage } from './page';
import type { HealthRegistry } from './registry';
import type { HealthProbe, HealthReport, HealthResponseWriter } from './report';

/** Writes the body of a health endpoint; status code and `Cache-Control` are already set. */
type Write = (report: HealthReport, response: Response, probe: HealthProbe) => void;

/** Ends the response itself: `response.send` would turn an `If-None-Match: *` into a 304. */
function end(response: Response, contentType: string, text: string): void {
  const bytes = Buffer.from(text);
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

/** The default writer: the word alone. */
export const writeWord: HealthResponseWriter = ({ status }) => ({
  contentType: 'text/plain; charset=utf-8',
  body: status,
});

const writeDetail: Write = (report, response) =>
  end(response, 'application/json; charset=utf-8', JSON.stringify(report));

const pageWriter =
  (service: string): Write =>
  (report, response) => {
    response.setHeader('Content-Security-Policy', pagePolicy);
    response.setHeader('Referrer-Policy', 'no-referrer');
    end(response, 'text/html; charset=utf-8', renderPage(service, report, new Date()));
  };

/**
 * The five health endpoints. They stand before everything else an application does: no authentication, no rate
 * limit, no redirect, no access log. 200 for Healthy and Degraded, 503 for Unhealthy, never cached.
 */
export function healthRoutes(
  registry: HealthRegistry,
  service: string,
  paths: HealthPaths = defaultHealthPaths,
): RequestHandler {
  const word: Write = (report, response, probe) => {
    const { contentType, body } = (registry.writer ?? writeWord)(report, { service, probe });
    end(response, contentType, body);
  };
  const page = pageWriter(service);
  const { overall, detail, page: ui, liveness, readiness } = healthOperations(paths);
  const route = (operation: HttpOperation, probe: HealthProbe, writer: Write) =>
    [operation.path, { operation, probe, write: writer }] as const;
  const routes = new Map([
    route(overall, 'overall', word),
    route(detail, 'overall', writeDetail),
    route(ui, 'overall', page),
    route(liveness, 'liveness', word),
    route(readiness, 'readiness', word),
  ]);
  return async (request, response, next) => {
    const route = routes.get(request.path) ?? routes.get(request.path.replace(/(.)\/$/, '$1'));
    if (route === undefined) return next();
    response.setHeader('Cache-Control', 'no-store, no-cache');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const problem = new Problem('method_not_allowed', { headers: { Allow: 'GET, HEAD' } });
      return sendProblem(response, problem, currentContext()?.requestId);
    }
    assertParameters(route.operation.query, request.query);
    // A custom writer answers in a form that no document describes.
    if (route.write !== word || registry.writer === undefined) {
      tellAnswerBegun({ operation: route.operation, request, response });
    }
    const report = await registry[route.probe]();
    response.status(report.status === 'Unhealthy' ? 503 : 200);
    route.write(report, response, route.probe);
  };
}
