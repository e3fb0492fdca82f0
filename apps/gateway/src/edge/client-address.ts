import { withoutPort } from '@canvass/service-kit';
import ipaddr from 'ipaddr.js';
import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';

/**
 * The addresses that trusted proxies report, the client's first. Without such proxies, the peer's address.
 *
 * @param trustedHops reverse proxies in front of the gateway whose X-Forwarded-For entries are trusted
 */
export function forwardedFor(request: IncomingMessage, trustedHops: number): string[] {
  const peer = request.socket.remoteAddress ?? 'unknown';
  if (trustedHops === 0) return [peer];
  const claimed = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return [...claimed, peer].slice(-(trustedHops + 1));
}

/**
 * The network address that a request counts for: the client's address without the port that some proxies add.
 * Of IPv6 the /64 network, because one subscriber has all of it. A text that is no address is used as it is,
 * truncated.
 */
export function clientNetwork(request: IncomingMessage, trustedHops: number): string {
  const text = withoutPort(forwardedFor(request, trustedHops)[0]!);
  if (isIPv4(text)) return text;
  if (!ipaddr.isValid(text)) return text.slice(0, 64);
  const address = ipaddr.process(text); // unwraps IPv4 in IPv6
  if (!(address instanceof ipaddr.IPv6)) return address.toNormalizedString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
