import type { IncomingMessage } from 'node:http';
import { createCors, type Cors } from './cors';
import { securityHeaders, type HeaderList } from './security-headers';

/** What every answer of the gateway gets, whoever made it. */
export interface Edge {
  /** The headers of every answer to this request; a service's own value replaces one, except Vary, which grows. */
  headersFor(request: IncomingMessage): HeaderList;
  preflight: Cors['preflight'];
}

export function createEdge(origins: readonly string[], allowedMethods: string): Edge {
  const security = securityHeaders(origins.length > 0);
  const cors = createCors(origins, allowedMethods);
  return {
    headersFor(request) {
      const crossOrigin = cors.headersFor(request);
      return crossOrigin.length === 0 ? security : [...security, ...crossOrigin];
    },
    preflight: (request) => cors.preflight(request),
  };
}
