import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Network = [Address, number];

/**
 * Parses an address, or null. IPv6 goes through the URL parser first: ipaddr.js reads the compatible form
 * `::8.8.8.8`, which is how Linux prints it, as the mapped form `::ffff:8.8.8.8`.
 */
export function parseAddress(ip: string): Address | null {
  const version = isIP(ip);
  if (version === 0) return null;
  return ipaddr.parse(version === 6 ? new URL(`http://[${ip}]/`).hostname.slice(1, -1) : ip);
}

/** Parses a network. A mapped one is its IPv4 network, because a mapped address is checked as IPv4. */
function parseNetwork(cidr: string): Network {
  const [ip = '', prefix] = cidr.split('/');
  const address = parseAddress(ip) ?? ipaddr.parse(ip);
  const bits = Number(prefix);
  const mapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96;
  return mapped ? [address.toIPv4Address(), bits - 96] : [address, bits];
}

/** Returns whether an address is in one of the networks. @throws Error for a text that is not a CIDR */
export function isWithin(cidrs: readonly string[]): (address: Address) => boolean {
  const networks = cidrs.map(parseNetwork);
  return (address) =>
    networks.some((network) => network[0].kind() === address.kind() && address.match(network));
}
