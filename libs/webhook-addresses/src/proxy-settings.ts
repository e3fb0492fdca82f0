import ipaddr from 'ipaddr.js';
import Joi from 'joi';
import { isIP } from 'node:net';
import { isWithin, parseAddress } from './networks';

/** `Service:WebHooks:Proxy`, as far as it decides which addresses are checked. */
export interface ProxyRules {
  /** Hosts that are reached without the proxy. */
  NoProxy: string[];
  Addresses: 'checked' | 'delegated';
}

/** A host name, or with a dot in front the names below it. */
const name = /^\.?([a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/i;

/** The keys of `ProxyRules`, for the configuration of a service. */
export const proxyKeys = {
  NoProxy: Joi.array()
    .items(
      Joi.string().custom((value: string, { error }) =>
        isIP(value) !== 0 || ipaddr.isValidCIDR(value) || name.test(value) ? value : error('any.invalid'),
      ),
    )
    .messages({ 'any.invalid': '{{#label}} must be a host name, a .suffix, an address or a network' })
    .default([])
    .description(
      'Hosts that webhooks reach without the proxy: names, suffixes such as .example.org, addresses, networks.',
    ),
  Addresses: Joi.string()
    .valid('checked', 'delegated')
    .default('checked')
    .description(
      'Who resolves the names of receivers behind the proxy and refuses addresses: checked is this service, delegated the proxy.',
    ),
};

/**
 * Returns whether a host is reached without the proxy. Addresses and networks are compared with hosts that
 * are addresses; names are not resolved.
 */
export function createNoProxy(entries: readonly string[]): (host: string) => boolean {
  const named = entries.filter((entry) => isIP(entry) === 0 && !entry.includes('/')).map(normalized);
  const addresses = entries.filter((entry) => isIP(entry) !== 0 || entry.includes('/'));
  const networks = addresses.map((entry) =>
    entry.includes('/') ? entry : `${entry}/${isIP(entry) === 4 ? 32 : 128}`,
  );
  const isListed = isWithin(networks);
  return (host) => {
    const asked = normalized(host);
    const address = parseAddress(asked);
    if (address) return isListed(address);
    return named.some((entry) => (entry.startsWith('.') ? asked.endsWith(entry) : asked === entry));
  };
}

const normalized = (host: string) =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
