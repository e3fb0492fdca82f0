import createClient, { type Client } from 'openapi-fetch';
import type { paths } from '../dist/api.mjs';

/** The public API, typed by its OpenAPI document. A call throws if there is no answer. */
export type Api = Client<paths>;

/**
 * Creates a client of the gateway at this URL.
 *
 * @param token access token; undefined for an anonymous client
 * @param send replaces the global `fetch`: for time limits or several gateways
 */
export const apiOf = (
  gatewayUrl: string,
  token?: string,
  send?: (request: Request) => Promise<Response>,
): Api =>
  createClient<paths>({
    baseUrl: gatewayUrl,
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
    ...(send === undefined ? {} : { fetch: send }),
  });

/**
 * Returns the data of an answer.
 *
 * @throws {Error} with status and problem if the request did not succeed
 */
export async function dataOf<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await call;
  if (data !== undefined) return data;
  throw new Error(`${response.url} answered ${response.status}: ${JSON.stringify(error)}`);
}
