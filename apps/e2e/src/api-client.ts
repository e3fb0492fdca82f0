import createClient, { type Client as OpenApiClient } from 'openapi-fetch';
import type { components, paths } from '../dist/api.mjs';

/** The API as a program meets it: typed by the OpenAPI document, answers as their schemas say. */
export type Api = OpenApiClient<paths>;

export const apiOf = (gatewayUrl: string, token?: string): Api =>
  createClient<paths>({
    baseUrl: gatewayUrl,
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  });

/**
 * The data of an answer.
 *
 * @throws {Error} showing the problem, when it is one
 */
export async function dataOf<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await call;
  if (data !== undefined) return data;
  throw new Error(`${response.url} answered ${response.status}: ${JSON.stringify(error)}`);
}
