import createClient, { type Client as OpenApiClient } from 'openapi-fetch';
import type { components, paths } from '../dist/api.mjs';

/** A client of the API that is typed by the OpenAPI document. */
export type Api = OpenApiClient<paths>;
export type Schemas = components['schemas'];

export const apiOf = (gatewayUrl: string, token?: string): Api =>
  createClient<paths>({
    baseUrl: gatewayUrl,
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  });

/**
 * Returns the data of a response.
 *
 * @throws {Error} with the problem, if the response is an error
 */
export async function dataOf<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await call;
  if (data !== undefined) return data;
  throw new Error(`${response.url} answered ${response.status}: ${JSON.stringify(error)}`);
}
