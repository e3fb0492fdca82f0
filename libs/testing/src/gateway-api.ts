import { createCanvass, type Canvass } from '@canvass/client';

/** The public API, typed by its OpenAPI document. A call throws if there is no answer. */
export type Api = Canvass;
export { dataOf } from '@canvass/client';

/**
 * Creates a client of the gateway at this URL, which sends each request once.
 *
 * @param token access token; undefined for an anonymous client
 * @param send replaces the global `fetch`: for time limits or several gateways
 */
export const apiOf = (
  gatewayUrl: string,
  token?: string,
  send?: (request: Request) => Promise<Response>,
): Api =>
  createCanvass({
    baseUrl: gatewayUrl,
    retry: false,
    ...(token === undefined ? {} : { token }),
    ...(send === undefined ? {} : { fetch: send }),
  });
