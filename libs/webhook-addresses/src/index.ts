export { createAddressPolicy, type AddressPolicy, type AddressVerdict } from './address-policy';
export { targetKeys, type TargetSettings } from './target-settings';
export { systemResolver, type Resolver } from './system-resolver';
export { checkWebhookUrl, parseWebhookUrl, type UrlVerdict } from './webhook-url';
