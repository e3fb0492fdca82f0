import { securityHeaders } from '@canvass/service-kit';
import type { IncomingMessage } from 'node:http';

/** Headers of a response, names in lower case. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** The headers that the gateway adds to every response, and its responses to preflights. */
export interface Edge {
  /**
   * The headers of every response to this request. A value of a service replaces one, except Vary, which
   * grows.
   */
  headersFor(request: IncomingMessage): HeaderList;
  /** The further headers of the response to a preflight; null for other requests and for unknown origins. */
  preflight(request: IncomingMessage): HeaderList | null;
}

/** Headers that a page of another origin may read, beside those that the Fetch standard always permits. */
const exposedHeaders = [
  'ETag',
  'Location',
  'Retry-After',
  'X-Request-Id',
  'Content-Disposition',
  'Idempotency-Replayed',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
].join(', ');
const preflightSeconds = '600';

/**
 * Cross-origin calls (the Fetch standard, section 3.2) from the configured origins. Without origins, browsers
 * of other origins get no CORS header. No credentials mode: callers authenticate with a bearer token, not a
 * cookie.
 */
export function createEdge(origins: readonly string[], allowedMethods: string): Edge {
  const isAnyAllowed = origins.includes('*');
  const allowed = new Set(origins);
  const isAllowed = (origin: string | undefined): origin is string =>
    origin !== undefined && (isAnyAllowed || allowed.has(origin));
  const always: HeaderList = [
    ...securityHeaders,
    // The seventh follows CORS.
    ['cross-origin-resource-policy', origins.length > 0 ? 'cross-origin' : 'same-origin'],
    ...(origins.length === 0 || isAnyAllowed ? [] : [['vary', 'Origin'] as const]),
  ];
  return {
    headersFor({ headers: { origin } }) {
      if (!isAllowed(origin)) return always;
      return [
        ...always,
        ['access-control-allow-origin', isAnyAllowed ? '*' : origin],
        ['access-control-expose-headers', exposedHeaders],
      ];
    },
    preflight({ method, headers }) {
      const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
      if (!isPreflight || !isAllowed(headers.origin)) return null;
      return [
        ['access-control-allow-methods', allowedMethods],
        ['access-control-allow-headers', requestedHeaders(headers['access-control-request-headers'])],
        ['access-control-max-age', preflightSeconds],
      ];
    },
  };
}

/** Any header may be sent: the services decide which ones have an effect. */
function requestedHeaders(requested: string | undefined): string {
  return requested !== undefined && /^[A-Za-z0-9\-_, ]{1,1000}$/.test(requested)
    ? requested
    : 'Authorization, Content-Type';
}
