import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/**
 * The address by which attempts are counted. Behind the gateway it is the first entry of X-Forwarded-For,
 * which the gateway overwrites, so that clients cannot choose it. For IPv6 it is the /64 network, because a
 * subscriber owns all of its addresses.
 */
export function clientAddress(request: IncomingMessage, trustForwardedFor: boolean): string {
  const forwarded = trustForwardedFor ? request.headers['x-forwarded-for'] : undefined;
  const text =
    withoutPort(
      String(forwarded ?? '')
        .split(',')[0]!
        .trim(),
    ) ||
    (request.socket.remoteAddress ?? '');
  if (!ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text); // unwraps IPv4 in IPv6
  return address.kind() === 'ipv6'
    ? ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/64`).toNormalizedString()
    : address.toNormalizedString();
}

/** Some proxies write `192.0.2.1:4711` or `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const match = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/.exec(text);
  return match?.[1] ?? match?.[2] ?? text;
}
