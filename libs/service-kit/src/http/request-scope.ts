import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { clientAddress } from '../context/client-address';
import { shownIdOf, type RequestContext } from '../context/request-context';
import { continueTrace } from '../context/traceparent';

const validId = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * The header in which the gateway passes its id of a request. It removes this header of clients, so a service
 * that clients reach without the gateway must not get it from them, like `X-Forwarded-For`.
 */
export const edgeRequestId = 'x-canvass-request-id';

const idIn = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' && validId.test(header) ? header : undefined;

/**
 * Creates the context of a request: its id, that of the client if it is valid, and its trace.
 *
 * @param isEdge whether the request comes from a client, so that its id is made here
 */
export function scopeOf(headers: IncomingHttpHeaders, isEdge: boolean): RequestContext {
  const { traceparent } = headers;
  const clientRequestId = idIn(headers['x-request-id']);
  return {
    requestId: (isEdge ? undefined : idIn(headers[edgeRequestId])) ?? randomUUID(),
    ...(clientRequestId !== undefined && { clientRequestId }),
    traceparent: continueTrace(typeof traceparent === 'string' ? traceparent : undefined),
  };
}

/** Creates the context of a request of a service, and returns its id in `X-Request-Id`. */
export function beginScope(request: IncomingMessage, response: ServerResponse): RequestContext {
  const address = clientAddress(request);
  const context = scopeOf(request.headers, false);
  if (address !== null) context.address = address;
  response.setHeader('X-Request-Id', shownIdOf(context));
  response.setHeader('X-Content-Type-Options', 'nosniff');
  return context;
}
