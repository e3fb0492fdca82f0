import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/**
 * The address that attempts are counted for. Behind the gateway it is the first entry of X-Forwarded-For, which the
 * gateway writes anew and no client can choose. Of an IPv6 address the network of 64 bits: one subscriber has them all.
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

/** `192.0.2.1:4711` and `[2001:db8::1]:4711`, as some proxies write. */
function withoutPort(text: string): string {
  const match = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/.exec(text);
  return match?.[1] ?? match?.[2] ?? text;
}
