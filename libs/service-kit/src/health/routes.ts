import { Problem } from '@canvass/errors';
import type { Request, RequestHandler, Response } from 'express';
import { defaultHealthPaths } from '../config/settings';
import { currentContext } from '../context/request-context';
import { tellAnswerBegun } from '../http/answer-begun';
import type { HttpOperation } from '../http/endpoint';
import { sendProblem } from '../http/problem-json';
import { assertParameters } from '../http/validate';
import { healthOperations, type HealthPaths } from './operations';
import { pagePolicy, renderPage } from './page';
import type { HealthRegistry } from './registry';
import type { HealthReport } from './report';

export type Probe = 'overall' | 'liveness' | 'readiness';

/** Answers a probe in its own way. Status code and `Cache-Control` are already set; it must end the response. */
export type HealthWriter = (report: HealthReport, response: Response, probe: Probe, request: Request) => void;

/** Ends the response itself: `response.send` would turn an `If-None-Match: *` into a 304. */
function write(response: Response, type: string, text: string): void {
  const bytes = Buffer.from(text);
  response.setHeader('Content-Type', `${type}; charset=utf-8`);
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

/** The default writer: the word alone. */
const writeWord: HealthWriter = (report, response) => write(response, 'text/plain', report.status);

const writeDetail: HealthWriter = (report, response) =>
  write(response, 'application/json', JSON.stringify(report));

const pageWriter =
  (service: string): HealthWriter =>
  (report, response) => {
    response.setHeader('Content-Security-Policy', pagePolicy);
    response.setHeader('Referrer-Policy', 'no-referrer');
    write(response, 'text/html', renderPage(service, report, new Date()));
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
  const word: HealthWriter = (...answer) => (registry.writer ?? writeWord)(...answer);
  const page = pageWriter(service);
  const { overall, detail, page: ui, liveness, readiness } = healthOperations(paths);
  const route = (operation: HttpOperation, probe: Probe, writer: HealthWriter) =>
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
    // A writer of somebody else's answers what it likes.
    if (route.write !== word || registry.writer === undefined) {
      tellAnswerBegun({ operation: route.operation, request, response });
    }
    const report = await registry[route.probe]();
    response.status(report.status === 'Unhealthy' ? 503 : 200);
    route.write(report, response, route.probe, request);
  };
}
