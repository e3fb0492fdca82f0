export { createAddressPolicy, type AddressPolicy, type AddressVerdict } from './address-policy';
export { allowedNetworksSchema } from './allowed-networks';
export { systemResolver, type Resolver } from './system-resolver';
export { checkWebhookUrl, parseWebhookUrl, type UrlVerdict } from './webhook-url';
