import ipaddr from 'ipaddr.js';
import type { IncomingMessage } from 'node:http';
import { isIPv4 } from 'node:net';

/**
 * The address of the client: the first entry of `X-Forwarded-For`, which the gateway overwrites (the rules of
 * `Service:Gateway:TrustedHops`), else the peer of the connection. Null if that is no address. IPv4 in IPv6
 * is unwrapped, and a port that some proxies add is removed.
 */
export function clientAddress({ headers, socket }: IncomingMessage): string | null {
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',', 1)[0]!;
  return addressOf(forwarded.trim() || (socket.remoteAddress ?? ''));
}

/** A text as a normal address; null if it is not one. */
export function addressOf(text: string): string | null {
  if (isIPv4(text)) return text; // without leading zeros it is normal; most addresses are
  const bare = withoutPort(text);
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : null;
}

/** The network of a client for logs, /24 of IPv4 and /48 of IPv6. */
export function networkOf(address: string): string {
  if (isIPv4(address)) return `${address.slice(0, address.lastIndexOf('.'))}.0/24`;
  return ipv6Network(ipaddr.parse(address), 48);
}

/**
 * The networks that an address counts for, the narrowest first: itself; of IPv6 its /64 network, because one
 * subscriber has all of it, and the wider ones that a provider may assign. A text that is no address is used
 * as it is, truncated.
 */
export function networksOf(address: string): [narrowest: string, ...wider: string[]] {
  const text = withoutPort(address);
  if (isIPv4(text)) return [text];
  if (!ipaddr.isValid(text)) return [text.slice(0, 64)];
  const parsed = ipaddr.process(text); // unwraps IPv4 in IPv6
  if (parsed.kind() === 'ipv4') return [parsed.toNormalizedString()];
  return [ipv6Network(parsed, 64), ipv6Network(parsed, 56), ipv6Network(parsed, 48)];
}

function ipv6Network(address: ipaddr.IPv4 | ipaddr.IPv6, bits: 48 | 56 | 64): string {
  const bytes = address.toByteArray().fill(0, bits / 8);
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`;
}

/**
 * The address in `192.0.2.1:4711` or `[2001:db8::1]:4711`, which some proxies write; any other text as it is.
 * Each connection has another port and must count for the same client.
 */
export function withoutPort(text: string): string {
  const match = /^(?:\[([^\]]*)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/.exec(text);
  return match?.[1] ?? match?.[2] ?? text;
}
