import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** Headers of an answer, names in lower case. */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/**
 * What keeps browsers from doing harm with an answer: helmet's set, narrowed for an API: nothing an answer holds may run or be framed. Strict-Transport-Security is left
 * to the TLS terminator in front, which alone knows whether there is TLS. Cross-Origin-Resource-Policy follows CORS:
 * without allowed origins answers are for the same origin. The set is the same for every answer, so helmet is asked once.
 */
export function securityHeaders(crossOrigin: boolean): HeaderList {
  const protect = helmet({
    strictTransportSecurity: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: crossOrigin ? 'cross-origin' : 'same-origin' },
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    // For browsers and plug-ins that no longer exist, or for pages only.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
  });
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  protect(request, response, () => undefined);
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)] as const);
}
