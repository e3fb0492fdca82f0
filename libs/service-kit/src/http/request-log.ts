import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { networkOf } from '../context/client-address';
import { idsOf, type RequestContext } from '../context/request-context';
import type { Logger } from '../logging/logger';
import type { Metrics } from '../metrics/metrics';
import { noTracing, type Tracing } from '../tracing';

/** Facts for the log line of a request. */
export interface RequestNotes {
  route?: string;
  operationId?: string;
  principal?: string;
  callingService?: string;
  errorCode?: string;
  /** An unexpected error of the handler; logged, not sent to the client. */
  error?: unknown;
  [fact: string]: unknown;
}

const notes = new WeakMap<ServerResponse, RequestNotes>();

/** The notes of a request. Handlers may add facts to its log line, but no secrets and no bodies. */
export function notesOf(response: ServerResponse): RequestNotes {
  let found = notes.get(response);
  if (found === undefined) notes.set(response, (found = {}));
  return found;
}

/** The route of requests that match no endpoint: a label per path would be unbounded. */
const noRoute = 'unmatched';
/** Paths may contain submission tokens, so segments of that length are masked. Ids and names are shorter. */
const secretSegment = /[A-Za-z0-9_-]{32,}/g;
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Writes the log line, the metric and the span of a request when its response is complete or aborted. */
export type WatchRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  context: RequestContext | undefined,
) => void;

export function createRequestWatch(
  logger: Logger,
  metrics: Metrics,
  tracing: Tracing = noTracing,
): WatchRequest {
  return (request, response, context) => {
    const startedAt = performance.now();
    // Read at the start: a body that is destroyed early clears `request.socket` before `close`.
    const { socket } = request;
    const sentBefore = socket.bytesWritten;
    response.once('close', () => {
      const { route = noRoute, error, ...facts } = notesOf(response);
      const milliseconds = performance.now() - startedAt;
      const complete = response.writableFinished;
      // 499: the client closed the connection before the response started.
      const status = complete || response.headersSent ? response.statusCode : 499;
      const method = knownMethods.has(request.method ?? '') ? request.method! : 'OTHER';
      metrics.httpSeconds.observe({ method, route, status: String(status) }, milliseconds / 1000);
      const line = {
        method: request.method,
        route,
        status,
        ms: Math.round(milliseconds * 10) / 10,
        bytes: socket.bytesWritten - sentBefore,
        tenantId: context?.tenantId ?? null,
        provider: context?.actor?.provider,
        subject: context?.actor?.subject,
        network: context?.address && networkOf(context.address),
        ...(context && idsOf(context)),
        ...facts,
        aborted: complete ? undefined : true,
        path: route === noRoute ? pathOf(request) : undefined,
        error,
      };
      logger[error === undefined ? 'info' : 'error'](line, 'request');
      if (tracing.enabled && context !== undefined) {
        tracing.record({
          name: `${method} ${route}`,
          kind: 'server',
          traceparent: context.traceparent,
          parent: request.headers['traceparent'] as string | undefined,
          startedAt: performance.timeOrigin + startedAt,
          attributes: spanAttributes({ method, route, status, ...facts }, context),
          error: status >= 500 ? (facts.errorCode ?? String(status)) : undefined,
        });
      }
    });
  };
}

/** Uses the attribute names of OpenTelemetry where they exist. */
const spanAttributes = (
  line: { method: string; route: string; status: number } & RequestNotes,
  { requestId, tenantId }: RequestContext,
) => ({
  'http.request.method': line.method,
  'http.route': line.route,
  'http.response.status_code': line.status,
  'canvass.request_id': requestId,
  ...(tenantId === undefined ? {} : { 'canvass.tenant_id': tenantId }),
  ...(line.operationId === undefined ? {} : { 'canvass.operation_id': line.operationId }),
  ...(line.errorCode === undefined ? {} : { 'error.type': line.errorCode }),
});

function pathOf({ url = '' }: IncomingMessage): string {
  const [path = ''] = url.split('?', 1);
  return path.replace(secretSegment, '********').slice(0, 200);
}
