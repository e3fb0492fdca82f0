import type { RequestHandler } from 'express';
import type { Edge } from './edge';

/** The edge's headers for answers that express makes, and the answers to cross-origin preflights. */
export const edgeHandler =
  (edge: Edge): RequestHandler =>
  (request, response, next) => {
    for (const [name, value] of edge.headersFor(request)) response.setHeader(name, value);
    const preflight = edge.preflight(request);
    if (preflight === null) return next();
    for (const [name, value] of preflight) response.setHeader(name, value);
    response.writeHead(204).end();
  };
