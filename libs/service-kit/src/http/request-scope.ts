import type { RequestHandler } from 'express';
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { withContext, type RequestContext } from '../context/request-context';
import { continueTrace } from '../context/traceparent';

const saneId = /^[A-Za-z0-9._-]{1,128}$/;

/** The id of a request (the caller's if it is sane) and its trace. */
export function scopeOf(headers: IncomingHttpHeaders): RequestContext {
  const sent = headers['x-request-id'];
  const { traceparent } = headers;
  return {
    requestId: typeof sent === 'string' && saneId.test(sent) ? sent : randomUUID(),
    traceparent: continueTrace(typeof traceparent === 'string' ? traceparent : undefined),
  };
}

/** Gives every request its id, always echoed, and its trace, and opens its context. */
export const requestScope: RequestHandler = (request, response, next) => {
  const context = scopeOf(request.headers);
  response.setHeader('X-Request-Id', context.requestId);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  withContext(context, next);
};
