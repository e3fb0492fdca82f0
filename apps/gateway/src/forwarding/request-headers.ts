import type { RequestContext } from '@canvass/service-kit';
import type { IncomingMessage } from 'node:http';
import { forwardedFor } from '../edge';
import { connectionTokens, hopByHop } from './hop-by-hop';

/**
 * Headers by which a proxy in front of an application tells it who the caller is, or which resource is meant. Services
 * believe tokens only; these are dropped so that nothing behind the gateway can be tempted.
 */
const identityHeader =
  /^(?:x-(?:forwarded|auth|authenticated|user|tenant|role|roles|permission|permissions|subject|principal|remote|client|real|internal|canvass|service|submitter|ms-client|amzn-oidc|goog-authenticated|original|rewrite|envoy)(?:-|$)|x-http-method|x-method-override|x-cluster-client-ip$|true-client-ip$|cf-connecting-ip$|remote-user$|forwarded$|via$)/;

/** Replaced by what the gateway says of the request, or by what its own HTTP client writes. */
const rewritten = new Set(['host', 'expect', 'x-request-id', 'traceparent', 'content-length']);

/** Lower-case names of headers to pass on, null for those to drop, by the spelling of the client. */
const names = new Map<string, string | null>();

function nameToSend(spelling: string): string | null {
  let name = names.get(spelling);
  if (name === undefined) {
    const lower = spelling.toLowerCase();
    name = hopByHop.has(lower) || rewritten.has(lower) || identityHeader.test(lower) ? null : lower;
    if (names.size < mostNames) names.set(spelling, name);
  }
  return name;
}

/** Clients use few names; those beyond are looked at each time. */
const mostNames = 1000;

/**
 * The headers a service gets, as a flat list of names and values.
 *
 * @param trustedHops reverse proxies in front of the gateway whose X-Forwarded-For entries are believed
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
  headers.push('x-request-id', context.requestId, 'traceparent', context.traceparent);
  headers.push('x-forwarded-for', forwardedFor(request, trustedHops).join(', '));
  headers.push('x-forwarded-proto', forwardedProto(request, trustedHops));
  if (request.headers.host !== undefined) headers.push('x-forwarded-host', request.headers.host);
  if (contentLength !== undefined) headers.push('content-length', contentLength);
  return headers;
}

function forwardedProto(request: IncomingMessage, trustedHops: number): string {
  const claimed = request.headers['x-forwarded-proto'];
  return trustedHops > 0 && (claimed === 'https' || claimed === 'http') ? claimed : 'http';
}
