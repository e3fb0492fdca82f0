import type { IncomingMessage } from 'node:http';
import type { HeaderList } from './security-headers';

/** What a page of another origin may read of an answer, beside what the Fetch standard always lets it read. */
const exposed = [
  ...['ETag', 'Location', 'Retry-After', 'X-Request-Id', 'Content-Disposition', 'Idempotency-Replayed'],
  ...['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
].join(', ');
const preflightSeconds = '600';

/**
 * Cross-origin calls (the Fetch standard, section 3.2) from the configured origins; without any, browsers on other
 * origins are refused by silence. No credentials mode: callers authenticate with a bearer token, never with a cookie.
 */
export interface Cors {
  /** The headers that every answer to this request gets. */
  headersFor(request: IncomingMessage): HeaderList;
  /** The further headers of the answer to a preflight; null where the request is none or its origin is not let in. */
  preflight(request: IncomingMessage): HeaderList | null;
}

export function createCors(origins: readonly string[], allowedMethods: string): Cors {
  const any = origins.includes('*');
  const known = new Set(origins);
  const letsIn = (origin: string | undefined): origin is string =>
    origin !== undefined && (any || known.has(origin));
  const none: HeaderList = [];
  const varies: HeaderList = origins.length === 0 || any ? none : [['vary', 'Origin']];
  return {
    headersFor({ headers: { origin } }) {
      if (!letsIn(origin)) return varies;
      return [
        ...varies,
        ['access-control-allow-origin', any ? '*' : origin],
        ['access-control-expose-headers', exposed],
      ];
    },
    preflight(request) {
      const asked = request.headers['access-control-request-method'];
      if (request.method !== 'OPTIONS' || asked === undefined || !letsIn(request.headers.origin)) return null;
      return [
        ['access-control-allow-methods', allowedMethods],
        ['access-control-allow-headers', requestedHeaders(request)],
        ['access-control-max-age', preflightSeconds],
      ];
    },
  };
}

/** Any header may be sent: which ones have an effect is decided by the services, not by the browser. */
function requestedHeaders(request: IncomingMessage): string {
  const asked = request.headers['access-control-request-headers'];
  return asked !== undefined && /^[A-Za-z0-9\-_, ]{1,1000}$/.test(asked)
    ? asked
    : 'Authorization, Content-Type';
}
