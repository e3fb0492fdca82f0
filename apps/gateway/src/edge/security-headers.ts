import helmet from 'helmet';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Adds the headers that keep browsers from doing harm with an answer; a service's own value replaces one. */
export type SecurityHeaders = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * helmet's set, narrowed for an API: nothing an answer holds may run or be framed. Strict-Transport-Security is left
 * to the TLS terminator in front, which alone knows whether there is TLS. Cross-Origin-Resource-Policy follows CORS:
 * without allowed origins answers are for the same origin.
 */
export function createSecurityHeaders(crossOrigin: boolean): SecurityHeaders {
  return helmet({
    strictTransportSecurity: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: crossOrigin ? 'cross-origin' : 'same-origin' },
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
  });
}
