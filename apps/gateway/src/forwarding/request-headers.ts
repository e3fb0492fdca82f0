import type { IncomingMessage } from 'node:http';
import { connectionTokens, hopByHop } from './hop-by-hop';

/**
 * Headers by which a proxy in front of an application tells it who the caller is, or which resource is meant. Services
 * believe tokens only; these are dropped so that nothing behind the gateway can be tempted.
 */
const identityHeader =
  /^(?:x-(?:forwarded|auth|authenticated|user|tenant|role|roles|permission|permissions|subject|principal|remote|client|real|internal|canvass|service|submitter|ms-client|amzn-oidc|goog-authenticated|original|rewrite|envoy)(?:-|$)|x-http-method|x-method-override|x-cluster-client-ip$|true-client-ip$|cf-connecting-ip$|remote-user$|forwarded$|via$)/;

/** Replaced by what the gateway says of the request, or by what its own HTTP client writes. */
const rewritten = new Set(['host', 'expect', 'x-request-id', 'traceparent', 'content-length']);

export interface ForwardedFacts {
  requestId: string;
  traceparent: string;
  /** Reverse proxies in front of the gateway whose X-Forwarded-For entries are believed. */
  trustedHops: number;
  /** Bytes of the body when it is streamed with a known length; else the client chunks or knows it. */
  contentLength?: string;
}

/** The headers a service gets, as a flat list of names and values. Names are compared in lower case. */
export function requestHeaders(request: IncomingMessage, facts: ForwardedFacts): string[] {
  const named = connectionTokens(request.headers.connection);
  const headers: string[] = [];
  const { rawHeaders } = request;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    if (hopByHop.has(name) || named.has(name) || rewritten.has(name) || identityHeader.test(name)) continue;
    headers.push(name, rawHeaders[index + 1]!);
  }
  headers.push('x-request-id', facts.requestId, 'traceparent', facts.traceparent);
  headers.push('x-forwarded-for', forwardedFor(request, facts.trustedHops));
  headers.push('x-forwarded-proto', forwardedProto(request, facts.trustedHops));
  if (request.headers.host !== undefined) headers.push('x-forwarded-host', request.headers.host);
  if (facts.contentLength !== undefined) headers.push('content-length', facts.contentLength);
  return headers;
}

/** The addresses that trusted proxies vouch for, the client's first; without such proxies the peer's address alone. */
function forwardedFor(request: IncomingMessage, trustedHops: number): string {
  const peer = request.socket.remoteAddress ?? 'unknown';
  if (trustedHops === 0) return peer;
  const claimed = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return [...claimed, peer].slice(-(trustedHops + 1)).join(', ');
}

function forwardedProto(request: IncomingMessage, trustedHops: number): string {
  const claimed = request.headers['x-forwarded-proto'];
  return trustedHops > 0 && (claimed === 'https' || claimed === 'http') ? claimed : 'http';
}
