import { Problem } from '@canvass/errors';
import { notesOf } from '@canvass/service-kit';
import type { RequestHandler } from 'express';
import { readTarget, type RouteFinder } from '../routing';
import { allow } from './allowed-methods';

/**
 * Answers for the paths of the route table what is not passed on to a service: OPTIONS, and methods that nobody has.
 * Other paths are left to the handlers after it, which know nothing and answer 404.
 *
 * @throws {Problem} `malformed_request` for a target that cannot be read, `method_not_allowed`
 */
export const refusalHandler =
  (findRoute: RouteFinder): RequestHandler =>
  (request, response, next) => {
    const route = findRoute(readTarget(request.url).segments);
    if (route === undefined) return next();
    notesOf(response).route = route.pattern;
    if (request.method !== 'OPTIONS') throw new Problem('method_not_allowed', { headers: { Allow: allow } });
    response.writeHead(204, { Allow: allow }).end();
  };
