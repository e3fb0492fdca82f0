import type { Request, RequestHandler, Response } from 'express';
import { defaultHealthPaths, type HostingSettings } from '../config/settings';
import { pagePolicy, renderPage } from './page';
import type { HealthRegistry } from './registry';
import type { HealthReport } from './report';

export type Probe = 'overall' | 'liveness' | 'readiness';

/** Answers a probe in its own way. Status code and `Cache-Control` are already set; it must end the response. */
export type HealthWriter = (report: HealthReport, response: Response, probe: Probe, request: Request) => void;

export type HealthPaths = Pick<HostingSettings, 'HealthCheckPath' | 'LivenessPath' | 'ReadinessPath'>;

/** The default writer: the word alone. */
const writeWord: HealthWriter = (report, response) => {
  response.type('text/plain').send(report.status);
};

const writeDetail: HealthWriter = (report, response) => {
  response.type('application/json').send(JSON.stringify(report));
};

const pageWriter =
  (service: string): HealthWriter =>
  (report, response) => {
    response.setHeader('Content-Security-Policy', pagePolicy);
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.type('text/html').send(renderPage(service, report, new Date()));
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
  const routes = new Map<string, { probe: Probe; write: HealthWriter }>([
    [paths.HealthCheckPath, { probe: 'overall', write: word }],
    [`${paths.HealthCheckPath}/detail`, { probe: 'overall', write: writeDetail }],
    [`${paths.HealthCheckPath}/ui`, { probe: 'overall', write: page }],
    [paths.LivenessPath, { probe: 'liveness', write: word }],
    [paths.ReadinessPath, { probe: 'readiness', write: word }],
  ]);
  return async (request, response, next) => {
    const route = routes.get(request.path) ?? routes.get(request.path.replace(/(.)\/$/, '$1'));
    if (route === undefined) return next();
    response.setHeader('Cache-Control', 'no-store, no-cache');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      response.status(405).type('text/plain').send('Method Not Allowed');
      return;
    }
    const report = await registry[route.probe]();
    response.status(report.status === 'Unhealthy' ? 503 : 200);
    route.write(report, response, route.probe, request);
  };
}
