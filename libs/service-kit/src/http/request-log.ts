import type { RequestHandler } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { currentContext, idsOf, type RequestContext } from '../context/request-context';
import type { Logger } from '../logging/logger';
import type { Metrics } from '../metrics/metrics';
import { noTracing, type Tracing } from '../tracing';

/** What the layers below note down for the one line of a request. */
export interface RequestNotes {
  route?: string;
  operationId?: string;
  principal?: string;
  callingService?: string;
  errorCode?: string;
  /** Thrown by a handler and not meant for the client. */
  error?: unknown;
  [fact: string]: unknown;
}

const notes = new WeakMap<ServerResponse, RequestNotes>();

/** The notes of a request; whoever serves it may add facts (no secrets, no bodies) to its log line. */
export function notesOf(response: ServerResponse): RequestNotes {
  let found = notes.get(response);
  if (found === undefined) notes.set(response, (found = {}));
  return found;
}

/** Routes that no template names would give a metric without bounds. */
const noRoute = 'unmatched';
/** Submission tokens stand in paths; a segment as long as one is not written. Ids and names are shorter. */
const secretSegment = /[A-Za-z0-9_-]{32,}/g;
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Writes one wide line, its metric and its span for a request when its answer is complete or broken off. */
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
    // Kept from the start: a body that is destroyed early takes `request.socket` away before `close`.
    const { socket } = request;
    const sentBefore = socket.bytesWritten;
    response.once('close', () => {
      const { route = noRoute, error, ...facts } = notesOf(response);
      const milliseconds = performance.now() - startedAt;
      const complete = response.writableFinished;
      // 499: the client closed the connection before there was an answer.
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
        ...(context === undefined ? {} : idsOf(context)),
        ...facts,
        ...(complete ? {} : { aborted: true }),
        ...(route === noRoute ? { path: pathOf(request) } : {}),
        ...(error === undefined ? {} : { error }),
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

/** By OpenTelemetry's names where it has one. */
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

/** The watch as a handler of express, inside the request's context. */
export const requestLog =
  (watch: WatchRequest): RequestHandler =>
  (request, response, next) => {
    watch(request, response, currentContext());
    next();
  };

function pathOf({ url = '' }: IncomingMessage): string {
  const [path = ''] = url.split('?', 1);
  return path.replace(secretSegment, '********').slice(0, 200);
}
