import { withoutPort } from '@canvass/service-kit';
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** The one who sends a request, as far as it can be known. */
export interface Client {
  /**
   * The key that attempts are counted by: the address, for IPv6 its /64 network, because a subscriber owns
   * all of its addresses. For IPv6 also the wider networks, which a provider may assign to one subscriber.
   */
  address: string;
  widerNetworks: string[];
  /** The network of the address, such as `192.0.2.0/24`: enough to recognize a session. Null if unknown. */
  network: string | null;
  userAgent: string | null;
}

const maxUserAgentLength = 300;

/**
 * The client of a request. Behind the gateway its address is the first entry of X-Forwarded-For, which the
 * gateway overwrites, so that clients cannot choose it.
 */
export function clientOf(request: IncomingMessage, trustForwardedFor: boolean): Client {
  const forwarded = trustForwardedFor ? request.headers['x-forwarded-for'] : undefined;
  const text =
    withoutPort(
      String(forwarded ?? '')
        .split(',')[0]!
        .trim(),
    ) ||
    (request.socket.remoteAddress ?? '');
  const userAgent = request.headers['user-agent']?.slice(0, maxUserAgentLength) ?? null;
  if (!ipaddr.isValid(text)) return { address: 'unknown', widerNetworks: [], network: null, userAgent };
  const address = ipaddr.process(text); // unwraps IPv4 in IPv6
  if (address.kind() === 'ipv4') {
    const network = `${networkOf(address, 24)}/24`;
    return { address: address.toNormalizedString(), widerNetworks: [], network, userAgent };
  }
  const wider = [56, 48].map((bits) => `${networkOf(address, bits)}/${bits}`);
  return { address: networkOf(address, 64), widerNetworks: wider, network: wider[1]!, userAgent };
}

/** The first address of the network. */
function networkOf(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  const cidr = `${address.toNormalizedString()}/${bits}`;
  return (
    address.kind() === 'ipv6'
      ? ipaddr.IPv6.networkAddressFromCIDR(cidr)
      : ipaddr.IPv4.networkAddressFromCIDR(cidr)
  ).toNormalizedString();
}
