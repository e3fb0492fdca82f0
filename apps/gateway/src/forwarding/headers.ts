import { edgeRequestId, type RequestContext } from '@canvass/service-kit';
import type { IncomingMessage } from 'node:http';
import { forwardedFor, type HeaderList } from '../edge';

/**
 * Headers of one connection (RFC 9110, section 7.6.1). They are never forwarded, and neither are those that
 * the Connection header names. Proxy credentials and trailers end here too: the gateway forwards no trailers.
 */
const hopByHop: ReadonlySet<string> = new Set([
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
const keptWhenNamed = new Set(['authorization', 'host', 'content-length', 'content-type', 'x-request-id']);

/**
 * The further hop-by-hop headers that a Connection header names, in lower case. End-to-end headers that the
 * request needs are kept: naming `Authorization` must not make a caller anonymous.
 */
function connectionTokens(connection: string | undefined): ReadonlySet<string> {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return none;
  const names = connection.split(',').map((token) => token.trim().toLowerCase());
  return new Set(names.filter((name) => !keptWhenNamed.has(name)));
}

/**
 * Headers by which a proxy in front of an application states who the caller is, or which resource is meant.
 * Services trust tokens only. These headers are dropped so that nothing behind the gateway can trust them by
 * mistake. `X-Canvass-Proof` is sealed by the service that reads it.
 */
const identityHeader =
  /^(?:x-(?:forwarded|auth|authenticated|user|tenant|role|roles|permission|permissions|subject|principal|remote|client|real|internal|canvass(?!-proof$)|service|submitter|ms-client|amzn-oidc|goog-authenticated|original|rewrite|envoy)(?:-|$)|x-http-method|x-method-override|x-cluster-client-ip$|true-client-ip$|cf-connecting-ip$|remote-user$|forwarded$|via$)/;

/** Replaced by values of the gateway or of its HTTP client. */
const rewritten = new Set(['host', 'expect', 'x-request-id', 'traceparent', 'content-length']);

/** Clients use few header names. Further names are examined at each request. */
const maxNames = 1000;

/** Lower-case names of headers to forward, null for those to drop, by the spelling of the client. */
const names = new Map<string, string | null>();

function nameToSend(spelling: string): string | null {
  let name = names.get(spelling);
  if (name === undefined) {
    const lower = spelling.toLowerCase();
    name = hopByHop.has(lower) || rewritten.has(lower) || identityHeader.test(lower) ? null : lower;
    if (names.size < maxNames) names.set(spelling, name);
  }
  return name;
}

/**
 * The headers of a request to a service, as a flat list of names and values.
 *
 * @param trustedHops reverse proxies in front of the gateway whose X-Forwarded-For entries are trusted
 * @param contentLength of a body that is streamed with a known length
 */
export function requestHeaders(
  request: IncomingMessage,
  context: RequestContext,
  trustedHops: number,
  contentLength?: string,
): string[] {
  const named = connectionTokens(request.headers.connection);
  const headers: string[] = [];
  const { rawHeaders } = request;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = nameToSend(rawHeaders[index]!);
    if (name !== null && !named.has(name)) headers.push(name, rawHeaders[index + 1]!);
  }
  headers.push(...ownHeaders(request, context, trustedHops));
  if (contentLength !== undefined) headers.push('content-length', contentLength);
  return headers;
}

/** The headers in which the gateway describes a request to a service. */
export function ownHeaders(request: IncomingMessage, context: RequestContext, trustedHops: number): string[] {
  const headers: string[] = [];
  if (context.clientRequestId !== undefined) headers.push('x-request-id', context.clientRequestId);
  headers.push(edgeRequestId, context.requestId, 'traceparent', context.traceparent);
  headers.push('x-forwarded-for', forwardedFor(request, trustedHops).join(', '));
  headers.push('x-forwarded-proto', forwardedProto(request, trustedHops));
  if (request.headers.host !== undefined) headers.push('x-forwarded-host', request.headers.host);
  return headers;
}

function forwardedProto(request: IncomingMessage, trustedHops: number): string {
  const claimed = request.headers['x-forwarded-proto'];
  return trustedHops > 0 && (claimed === 'https' || claimed === 'http') ? claimed : 'http';
}

/** Software versions are of use to attackers only. */
const droppedFromResponse: ReadonlySet<string> = new Set([...hopByHop, 'x-powered-by', 'server']);

/** The headers of a service's response, names in lower case; repeated ones are lists. */
export type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The headers of the response to the client, as the flat list that `writeHead` takes fastest. A value of the
 * service replaces the gateway's, except Vary, which grows. Repeated headers (Set-Cookie) stay repeated.
 *
 * @param pathPrefix the path at which a proxy serves the gateway; empty without one
 */
export function responseHeaders(received: ReceivedHeaders, own: HeaderList, pathPrefix: string): string[] {
  const headers: string[] = [];
  const named = connectionTokens(received['connection']?.toString());
  for (const name in received) {
    if (droppedFromResponse.has(name) || named.has(name)) continue;
    const value = received[name]!;
    if (typeof value === 'string') headers.push(name, prefixed(name, value, pathPrefix));
    else for (const each of value) headers.push(name, prefixed(name, each, pathPrefix));
  }
  for (const [name, value] of own) {
    if (received[name] === undefined || name === 'vary') headers.push(name, value);
  }
  return headers;
}

/** A header with a path of the service, as a client behind the proxy needs it. */
function prefixed(name: string, value: string, pathPrefix: string): string {
  if (pathPrefix === '') return value;
  if (name === 'location' && /^\/(?!\/)/.test(value)) return pathPrefix + value;
  return name === 'set-cookie' ? value.replace(/(;\s*path=)(?=\/)/i, `$1${pathPrefix}`) : value;
}
