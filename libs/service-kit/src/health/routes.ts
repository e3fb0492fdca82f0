import { Problem } from '@canvass/errors';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { defaultHealthPaths } from '../config/settings';
import { publishResponseStarted } from '../http/response-started';
import type { HttpOperation } from '../http/endpoint';
import { healthOperations, type HealthPaths } from './operations';
import { pagePolicy, renderPage } from './page';
import type { HealthRegistry } from './registry';
import type { HealthProbe, HealthReport, HealthResponseWriter } from './report';

/** Writes the body of a health endpoint. Status code and `Cache-Control` are already set. */
type Write = (report: HealthReport, response: ServerResponse, probe: HealthProbe) => void;

function end(response: ServerResponse, contentType: string, text: string): void {
  const bytes = Buffer.from(text);
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

/** The default writer: the status as one word. */
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

const methods = 'GET, HEAD, OPTIONS';

/** Responds to requests for one path. @throws {Problem} */
export type Responder = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Creates the responders of the five health endpoints, by path; without `PublicHealthDetails` of three. They
 * run before all other handlers: no authentication, no rate limit, no redirect, no request log. 200 for
 * Healthy and Degraded, 503 for Unhealthy, never cached. A query is ignored: monitors add one to pass caches.
 */
export function createHealthResponders(
  registry: HealthRegistry,
  service: string,
  paths: HealthPaths = defaultHealthPaths,
): ReadonlyMap<string, Responder> {
  const word: Write = (report, response, probe) => {
    const { contentType, body } = (registry.writer ?? writeWord)(report, { service, probe });
    end(response, contentType, body);
  };
  const page = pageWriter(service);
  const { overall, detail, page: ui, liveness, readiness } = healthOperations(paths);
  const hasDetails = paths.PublicHealthDetails ?? true;
  const responder = (operation: HttpOperation, probe: HealthProbe, write: Write): [string, Responder] => [
    operation.path,
    async (request, response) => {
      response.setHeader('Cache-Control', 'no-store, no-cache');
      if (request.method === 'OPTIONS') return void response.writeHead(204, { Allow: methods }).end();
      if (request.method !== 'GET' && request.method !== 'HEAD')
        throw new Problem('method_not_allowed', { headers: { Allow: methods } });
      // The OpenAPI document does not describe the format of a custom writer.
      if (write !== word || registry.writer === undefined)
        publishResponseStarted({ operation, request, response });
      const report = await registry[probe]();
      response.statusCode = report.status === 'Unhealthy' ? 503 : 200;
      write(report, response, probe);
    },
  ];
  return new Map([
    responder(overall, 'overall', word),
    ...(hasDetails ? [responder(detail, 'overall', writeDetail), responder(ui, 'overall', page)] : []),
    responder(liveness, 'liveness', word),
    responder(readiness, 'readiness', word),
  ]);
}
