import type { RequestHandler } from 'express';
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { clientAddress } from '../context/client-address';
import { withContext, type RequestContext } from '../context/request-context';
import { continueTrace } from '../context/traceparent';

const validId = /^[A-Za-z0-9._-]{1,128}$/;

/** Creates the context of a request: its id (of the caller if it is valid) and its trace. */
export function scopeOf(headers: IncomingHttpHeaders): RequestContext {
  const sent = headers['x-request-id'];
  const { traceparent } = headers;
  return {
    requestId: typeof sent === 'string' && validId.test(sent) ? sent : randomUUID(),
    traceparent: continueTrace(typeof traceparent === 'string' ? traceparent : undefined),
  };
}

/** Gives every request its id and trace, returns the id in `X-Request-Id`, and opens the context. */
export const requestScope: RequestHandler = (request, response, next) => {
  const address = clientAddress(request);
  const context = scopeOf(request.headers);
  if (address !== null) context.address = address;
  response.setHeader('X-Request-Id', context.requestId);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  withContext(context, next);
};
