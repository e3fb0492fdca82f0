export { createAddressPolicy, type AddressPolicy, type AddressVerdict } from './address-policy';
export { ConnectFault, createConnector, noConnect, type Connect, type Connector } from './connector';
export { targetKeys, type TargetSettings } from './target-settings';
export { systemResolver, type Resolver } from './system-resolver';
export { checkWebhookUrl, parseWebhookUrl, type UrlVerdict } from './webhook-url';
