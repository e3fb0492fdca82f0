import { Problem } from '@canvass/errors';
import { notesOf } from '@canvass/service-kit';
import type { RequestHandler } from 'express';
import type { ServiceName } from '../config';
import { readTarget, type RouteFinder } from '../routing';
import type { Forward } from './forward';
import { ClientGone, discardRest } from './request-body';
import type { Upstream } from './upstream';

/** Methods of the API; TRACE, CONNECT and the like are nobody's. */
export const allowedMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const allowed = new Set(allowedMethods.split(', '));

/**
 * Handles every request whose path is in the route table and leaves the others to the handlers after it (which know
 * nothing and answer 404). Paths of a service that is not configured are not there either.
 */
export function forwardingHandler(
  findRoute: RouteFinder,
  upstreams: Partial<Record<ServiceName, Upstream>>,
  forward: Forward,
): RequestHandler {
  return (request, response, next) => {
    const { pathAndQuery, segments } = readTarget(request.url);
    const route = findRoute(segments);
    const upstream = route && upstreams[route.service];
    if (!route || !upstream) return next();

    const notes = notesOf(response);
    notes.route = route.pattern;
    notes['upstream'] = route.service;
    if (!allowed.has(request.method))
      throw new Problem('method_not_allowed', { headers: { Allow: allowedMethods } });
    if (request.method === 'OPTIONS') {
      response.writeHead(204, { Allow: allowedMethods }).end();
      return;
    }
    forward({
      request,
      response,
      route,
      upstream,
      pathAndQuery,
      fail: next,
      onRetry: () => (notes['retried'] = true),
      onOutcome: (outcome) => (notes['outcome'] = outcome),
    }).catch((error: unknown) => {
      if (error instanceof ClientGone) return; // nobody is left to be answered
      discardRest(request);
      next(error);
    });
  };
}
