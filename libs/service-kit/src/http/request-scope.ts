import type { RequestHandler } from 'express';
import { randomUUID } from 'node:crypto';
import { withContext } from '../context/request-context';
import { continueTrace } from '../context/traceparent';

const saneId = /^[A-Za-z0-9._-]{1,128}$/;

/** Gives every request its id (the caller's if it is sane, always echoed) and its trace, and opens its context. */
export const requestScope: RequestHandler = (request, response, next) => {
  const sent = request.headers['x-request-id'];
  const requestId = typeof sent === 'string' && saneId.test(sent) ? sent : randomUUID();
  const { traceparent } = request.headers;
  response.setHeader('X-Request-Id', requestId);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  withContext(
    { requestId, traceparent: continueTrace(typeof traceparent === 'string' ? traceparent : undefined) },
    next,
  );
};
