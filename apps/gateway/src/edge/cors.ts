import type { IncomingMessage, ServerResponse } from 'node:http';

const exposed = 'ETag, Location, Retry-After, X-Request-Id, Content-Disposition, Idempotency-Replayed';
const preflightSeconds = '600';

/** Returns true when it answered the request, a preflight, itself. */
export type Cors = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Cross-origin calls (the Fetch standard, section 3.2) from the configured origins; without any, browsers on other
 * origins are refused by silence. No credentials mode: callers authenticate with a bearer token, never with a cookie.
 */
export function createCors(origins: readonly string[], allowedMethods: string): Cors {
  const any = origins.includes('*');
  const known = new Set(origins);
  return (request, response) => {
    if (origins.length === 0) return false;
    if (!any) response.appendHeader('Vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !(any || known.has(origin))) return false;

    response.setHeader('Access-Control-Allow-Origin', any ? '*' : origin);
    response.setHeader('Access-Control-Expose-Headers', exposed);
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
      return false;
    response.setHeader('Access-Control-Allow-Methods', allowedMethods);
    response.setHeader('Access-Control-Allow-Headers', requestedHeaders(request));
    response.setHeader('Access-Control-Max-Age', preflightSeconds);
    response.writeHead(204).end();
    return true;
  };
}

/** Any header may be sent: which ones have an effect is decided by the services, not by the browser. */
function requestedHeaders(request: IncomingMessage): string {
  const asked = request.headers['access-control-request-headers'];
  return asked !== undefined && /^[A-Za-z0-9\-_, ]{1,1000}$/.test(asked)
    ? asked
    : 'Authorization, Content-Type';
}
