import ipaddr from 'ipaddr.js';
import Joi from 'joi';

/** `Service:WebHooks:AllowedNetworks`: non-public networks in CIDR notation that webhooks may reach. */
export const allowedNetworksSchema = Joi.array()
  .items(
    Joi.string().custom((value: string, { error }) =>
      ipaddr.isValidCIDR(value) ? value : error('any.invalid', { message: 'not a CIDR' }),
    ),
  )
  .messages({ 'any.invalid': '{{#label}} must be a network in CIDR notation, for example 10.20.0.0/16' })
  .default([])
  .description(
    'Non-public networks in CIDR notation that webhooks may reach. Cloud metadata addresses are always refused.',
  );
