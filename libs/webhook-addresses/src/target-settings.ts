import ipaddr from 'ipaddr.js';
import Joi from 'joi';
import { proxyKeys, type ProxyRules } from './proxy-settings';

/** `Service:WebHooks`: where webhooks may be sent. Used by the service that saves and the one that sends. */
export interface TargetSettings {
  /** Non-public networks that webhooks may reach. */
  AllowedNetworks: string[];
  /** Networks that webhooks may not reach, even if they are public or allowed. */
  DeniedNetworks: string[];
  /** Empty: any port. */
  AllowedPorts: number[];
  RequireHttps: boolean;
  /** In force if the sending service has a proxy. */
  Proxy: ProxyRules;
}

const networks = (description: string) =>
  Joi.array()
    .items(
      Joi.string().custom((value: string, { error }) =>
        ipaddr.isValidCIDR(value) ? value : error('any.invalid', { message: 'not a CIDR' }),
      ),
    )
    .messages({ 'any.invalid': '{{#label}} must be a network in CIDR notation, for example 10.20.0.0/16' })
    .default([])
    .description(description);

/** The keys of `TargetSettings`, for the configuration of a service. */
export const targetKeys = {
  AllowedNetworks: networks(
    'Non-public networks in CIDR notation that webhooks may reach, except cloud metadata addresses.',
  ),
  DeniedNetworks: networks(
    'Networks in CIDR notation that webhooks may not reach, even if they are public or allowed.',
  ),
  AllowedPorts: Joi.array()
    .items(Joi.number().port().min(1))
    .max(100)
    .unique()
    .default([])
    .description('Ports that webhooks may be sent to. Empty: any port.'),
  RequireHttps: Joi.boolean().default(false).description('Whether webhooks may be sent by https only.'),
  Proxy: Joi.object<ProxyRules>(proxyKeys).default(),
};
