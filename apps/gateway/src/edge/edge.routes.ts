import type { RequestHandler } from 'express';
import { createCors } from './cors';
import { createSecurityHeaders } from './security-headers';

/** What every answer of the gateway gets, and the answers to cross-origin preflights. */
export function edgeHandlers(origins: readonly string[], allowedMethods: string): RequestHandler[] {
  const cors = createCors(origins, allowedMethods);
  return [
    createSecurityHeaders(origins.length > 0),
    (request, response, next) => {
      if (!cors(request, response)) next();
    },
  ];
}
