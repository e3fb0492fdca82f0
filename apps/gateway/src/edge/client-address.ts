import ipaddr from 'ipaddr.js';
import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';

/**
 * The addresses that trusted proxies vouch for, the client's first; without such proxies the peer's address alone.
 *
 * @param trustedHops reverse proxies in front of the gateway whose X-Forwarded-For entries are believed
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
 * Whom a request is from, as far as the network tells: the client's address without the port that some proxies add, of
 * IPv6 the network of 64 bits, since one subscriber has them all. What is no address stands for itself, cut short.
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

/** `192.0.2.1:4711` and `[2001:db8::1]:4711`: each connection has another port, and must not count for itself. */
function withoutPort(text: string): string {
  const match = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/.exec(text);
  return match?.[1] ?? match?.[2] ?? text;
}
