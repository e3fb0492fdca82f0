import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isWithin, parseAddress, type Address, type Network } from './networks';
import { createNoProxy } from './proxy-settings';
import { isLocalhost } from './system-resolver';
import type { TargetSettings } from './target-settings';

/**
 * Returns whether webhooks may be sent to an address. `reason` says why not and fits into an error message.
 */
export interface AddressVerdict {
  allowed: boolean;
  reason?: string;
}

export interface AddressPolicy {
  /**
   * Checks one IP address in any textual form. Text that is not an address is refused. No name is resolved.
   */
  check(ip: string): AddressVerdict;
  /** Checks the scheme and the port of a URL. */
  checkTarget(url: URL): AddressVerdict;
  /** Returns whether the proxy, and not this process, resolves a host name and judges its addresses. */
  isDelegated(host: string): boolean;
}

/**
 * Addresses of cloud metadata services, which return credentials. They are refused even inside an allowed
 * network, so that allowing a range does not open them. 168.63.129.16 (Azure) is a public address and in no
 * range table.
 */
const metadataAddresses = new Set(
  [
    '169.254.169.254', // AWS, Azure, Google, DigitalOcean, OpenStack
    '169.254.170.2', // AWS ECS task credentials
    '169.254.170.23', // AWS EKS pod identity
    '168.63.129.16', // Azure wire server
    '100.100.100.200', // Alibaba
    '192.0.0.192', // Oracle
    'fd00:ec2::254', // AWS over IPv6
    'fd00:ec2::23', // AWS EKS pod identity over IPv6
    'fd20:ce::254', // Google over IPv6
  ].map((text) => ipaddr.parse(text).toNormalizedString()),
);

const globalUnicast = ipaddr.parseCIDR('2000::/3');

/**
 * IPv6 forms that contain an IPv4 address, and its position. A packet to them may be routed to that IPv4
 * address.
 */
const embeddings: { name: string; network: Network; ipv4(parts: number[]): number[] }[] = [
  { name: 'IPv4-mapped', network: ipaddr.parseCIDR('::ffff:0:0/96'), ipv4: (p) => [p[6]!, p[7]!] },
  { name: 'IPv4-translated', network: ipaddr.parseCIDR('::ffff:0:0:0/96'), ipv4: (p) => [p[6]!, p[7]!] },
  { name: 'IPv4-compatible', network: ipaddr.parseCIDR('::/96'), ipv4: (p) => [p[6]!, p[7]!] },
  { name: 'NAT64', network: ipaddr.parseCIDR('64:ff9b::/96'), ipv4: (p) => [p[6]!, p[7]!] },
  { name: '6to4', network: ipaddr.parseCIDR('2002::/16'), ipv4: (p) => [p[1]!, p[2]!] },
  // Teredo hides the client's address by inverting its bits (RFC 4380, section 4).
  { name: 'Teredo', network: ipaddr.parseCIDR('2001::/32'), ipv4: (p) => [p[6]! ^ 0xffff, p[7]! ^ 0xffff] },
];

function embeddedIpv4(address: ipaddr.IPv6): { form: string; ipv4: ipaddr.IPv4 } | null {
  // `::` and `::1` lie in the compatible range, but contain no IPv4 address.
  if (address.range() === 'unspecified' || address.range() === 'loopback') return null;
  const found = embeddings.find(({ network }) => address.match(network));
  if (!found) return null;
  const octets = found.ipv4(address.parts).flatMap((part) => [part >> 8, part & 0xff]);
  return { form: found.name, ipv4: new ipaddr.IPv4(octets) };
}

const refused = (reason: string): AddressVerdict => ({ allowed: false, reason });

/**
 * The policy for addresses of webhooks: public unicast only, unless an operator allowed the network.
 *
 * An IPv4-mapped address is checked as its IPv4 address. The other forms that contain an IPv4 address
 * (translated, compatible, NAT64, 6to4, Teredo) are never public: they need their own allowed CIDR, and the
 * inner address must be allowed, too. Every other IPv6 address outside 2000::/3 is refused.
 *
 * @throws Error for a text that is not a CIDR
 */
export function createAddressPolicy({
  AllowedNetworks = [],
  DeniedNetworks = [],
  AllowedPorts = [],
  RequireHttps = false,
  Proxy = { NoProxy: [], Addresses: 'checked' },
}: Partial<TargetSettings> = {}): AddressPolicy {
  const isAllowListed = isWithin(AllowedNetworks);
  const isDenied = isWithin(DeniedNetworks);
  const isWithoutProxy = createNoProxy(Proxy.NoProxy);

  const judge = (address: Address): AddressVerdict => {
    if (metadataAddresses.has(address.toNormalizedString()))
      return refused('the address is a cloud metadata service');
    if (isDenied(address)) return refused('the address is in a denied network');
    if (address instanceof ipaddr.IPv6) {
      const embedded = embeddedIpv4(address);
      if (embedded) {
        const inner = judge(embedded.ipv4);
        if (!inner.allowed || embedded.form === 'IPv4-mapped' || isAllowListed(address)) return inner;
        return refused(`the address is not public (${embedded.form})`);
      }
    }
    if (isAllowListed(address)) return { allowed: true };
    if (address instanceof ipaddr.IPv6 && !address.match(globalUnicast))
      return refused(`the address is not public (${address.range()})`);
    return address.range() === 'unicast'
      ? { allowed: true }
      : refused(`the address is not public (${address.range()})`);
  };

  return {
    check(ip) {
      // A zone id (fe80::1%eth0) names an interface of this machine, so such an address is never public.
      if (ip.includes('%')) return refused('the address names a network interface');
      const address = parseAddress(ip);
      return address ? judge(address) : refused('not an IP address');
    },
    checkTarget({ protocol, port }) {
      if (RequireHttps && protocol !== 'https:') return refused('must be an https URL');
      const used = Number(port) || (protocol === 'https:' ? 443 : 80);
      return AllowedPorts.length === 0 || AllowedPorts.includes(used)
        ? { allowed: true }
        : refused(`must have one of the ports ${AllowedPorts.join(', ')}`);
    },
    isDelegated: (host) =>
      Proxy.Addresses === 'delegated' && isIP(host) === 0 && !isLocalhost(host) && !isWithoutProxy(host),
  };
}
