import createClient, { type Client } from 'openapi-fetch';
import type { paths } from '../dist/api.mjs';
import { withRetries, type RetryOptions, type Send } from './retry';
import type { TokenSource } from './token-source';

/** The API, typed by its OpenAPI document: `canvass.GET('/api/forms/{formId}', { params: … })`. */
export type Canvass = Client<paths>;

export interface CanvassOptions {
  /** The URL of the gateway, for example `https://forms.example.org`. */
  baseUrl: string;
  /** An access token, or where to get one for each request. Absent: anonymous. */
  token?: string | TokenSource;
  /** The way to repeat requests; `false` sends each once. */
  retry?: RetryOptions | false;
  /** Replaces the global `fetch`. */
  fetch?: Send;
}

/**
 * Creates a client of the API. A call returns `data` or `error`, and throws only if there is no response.
 * Requests are repeated after a 429, and those that may be sent twice also after 502, 503, 504 and a broken
 * connection: GET, PUT, DELETE, and a POST with an `Idempotency-Key`.
 */
export function createCanvass({
  baseUrl,
  token,
  retry = {},
  fetch: send = globalFetch,
}: CanvassOptions): Canvass {
  const canvass = createClient<paths>({
    baseUrl,
    fetch: retry === false ? send : withRetries(send, retry),
  });
  if (token !== undefined) {
    const source = typeof token === 'string' ? fixed(token) : token;
    canvass.use({
      async onRequest({ request }) {
        request.headers.set('authorization', `Bearer ${await source.get()}`);
      },
      onResponse({ response }) {
        if (response.status === 401) source.forget();
      },
    });
  }
  return canvass;
}

const globalFetch: Send = (request) => fetch(request);

const fixed = (token: string): TokenSource => ({
  get: () => Promise.resolve(token),
  forget: () => undefined,
});
