/**
 * Headers that concern one connection only (RFC 9110, section 7.6.1) and are never passed on, beside those that the
 * Connection header names. Proxy credentials and trailers end here too: the gateway forwards no trailers.
 */
export const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-authentication-info',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

const none: ReadonlySet<string> = new Set();
const mayNotBeNamed = new Set(['authorization', 'host', 'content-length', 'content-type', 'x-request-id']);

/**
 * The further hop-by-hop headers a Connection header names, in lower case. End-to-end headers that the request cannot
 * do without stay: naming `Authorization` must not turn a caller into an anonymous one.
 */
export function connectionTokens(connection: string | undefined): ReadonlySet<string> {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return none;
  const names = connection.split(',').map((token) => token.trim().toLowerCase());
  return new Set(names.filter((name) => !mayNotBeNamed.has(name)));
}
