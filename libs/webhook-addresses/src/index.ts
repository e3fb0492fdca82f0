export { createAddressPolicy, type AddressPolicy, type AddressVerdict } from './address-policy';
export { allowedNetworksSchema } from './allowed-networks';
export {
  checkWebhookUrl,
  parseWebhookUrl,
  systemResolver,
  type Resolver,
  type UrlVerdict,
} from './webhook-url';
